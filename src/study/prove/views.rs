//! The other views of a state: one that is nearer to being solved leaves the state to its own class.

use super::arrangements::{Code, FreeArrangements, permuted};
use super::masks::{image, images};
use super::slides::SlideBase;
use super::tables::Distances;
use crate::puzzle::{State, Subgoals};

/// The other views of all states over one state of the base.
pub struct OtherViews<'a> {
    subgoals: &'a dyn Subgoals,
    arrangements: &'a FreeArrangements,
    start: &'a State,
    distance: u32,
    /// By position in the order of codes the free place of the start.
    back: &'a [u8],
    form: ViewForm<'a>,
}

enum ViewForm<'a> {
    /// The only other view is the mask of the places with one label, which codes are masks of, too.
    Mask { slides: &'a SlideBase, images: Vec<u64> },
    /// Each label that leads has a mask. By position, its place on the board.
    Labels { slides: &'a SlideBase, places: Vec<u8> },
    /// Whatever the puzzle says.
    States(&'a Distances),
}

impl<'a> OtherViews<'a> {
    /// The views of states over `start`, a state of the base at this distance.
    pub fn new(
        (subgoals, base, slides): (&'a dyn Subgoals, &'a Distances, Option<&'a SlideBase>),
        arrangements: &'a FreeArrangements,
        start: &'a State,
        distance: u32,
        back: &'a [u8],
    ) -> Self {
        let form = match slides {
            None => ViewForm::States(base),
            Some(slides) => {
                let mask = slides.mask(start);
                let free: Vec<u8> = (0..start.0.len() as u8).filter(|place| mask >> place & 1 == 0).collect();
                let places: Vec<u8> = back.iter().map(|&place| free[usize::from(place)]).collect();
                match arrangements.are_masks() && slides.leaders() == [0] {
                    true => {
                        let bit = |position: usize| places.get(position).map_or(0, |&place| 1u64 << place);
                        ViewForm::Mask { slides, images: images(3, bit) }
                    }
                    false => ViewForm::Labels { slides, places },
                }
            }
        };
        OtherViews { subgoals, arrangements, start, distance, back, form }
    }

    /// Appends the codes of all states of which no other view is nearer, if there is a list of at most that many
    /// masks to choose from.
    pub fn list_no_nearer(&self, most: usize, codes: &mut Vec<Code>) -> bool {
        let ViewForm::Mask { slides, images: _ } = &self.form else { return false };
        let Some(far) = slides.at_least(self.distance).filter(|far| far.len() <= most) else {
            return false;
        };
        let taken = slides.mask(self.start);
        let free: Vec<u8> = (0..self.start.0.len() as u8).filter(|place| taken >> place & 1 == 0).collect();
        // Where the order of codes has a place of the board.
        let position = |place: usize| {
            let number = free.iter().position(|&free| usize::from(free) == place)?;
            self.back.iter().position(|&place| usize::from(place) == number)
        };
        let images = images(4, |place| position(place).map_or(0, |position| 1u64 << position));
        let beside = far.iter().filter(|&&mask| mask & taken == 0);
        codes.extend(beside.map(|&mask| image::<4>(&images, mask) as Code));
        true
    }

    /// Whether no other view of a state is nearer.
    pub fn are_no_nearer(&self, code: Code) -> bool {
        match &self.form {
            ViewForm::Mask { slides, images } => {
                slides.distance(image::<3>(images, code.into())) >= self.distance
            }
            ViewForm::Labels { slides, places } => {
                let labels = self.arrangements.labels(code);
                slides.leaders().iter().all(|leader| {
                    let led = places.iter().zip(&labels).filter(|(_, label)| *label == leader);
                    slides.distance(led.fold(0, |mask, (place, _)| mask | 1 << place)) >= self.distance
                })
            }
            ViewForm::States(base) => {
                let labels = permuted(self.back, &self.arrangements.labels(code));
                let state = self.subgoals.over(self.start, &labels);
                let views = state.map(|state| self.subgoals.views(&state)).unwrap_or_default();
                views.iter().skip(1).all(|view| u32::from(base.of(view)) >= self.distance)
            }
        }
    }
}
