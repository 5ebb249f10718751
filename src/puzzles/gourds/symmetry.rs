//! The symmetries of a puzzle, and the least image of a position under them.
//!
//! A symmetry turns the board and exchanges kinds of gourds, perhaps with their ends, so that
//! solved positions stay solved. Over one shape there is at most one solved position, because the
//! cells say what must lie on them; so the image of one solved position determines what happens to
//! the kinds, and there are at most as many symmetries as the board has.
//!
//! The index of a position is led by the number of its shape. So of all symmetries only those
//! count that send its shape to the lowest one: these are tabulated, and most shapes have just one.

use std::collections::{HashMap, HashSet};

use super::arrangements::{MOST_SLOTS, Word};
use super::board::Board;
use super::kinds::{Kinds, Slot};
use super::shapes::{Shape, Shapes};

/// A symmetry of the board together with an exchange of kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    /// Where each cell goes.
    pub cells: Vec<u8>,
    /// What each kind becomes.
    pub kinds: Vec<u8>,
    /// Whether a kind's ends are exchanged, too.
    pub turns: Vec<bool>,
}

impl Element {
    /// The symmetry that changes nothing.
    pub fn identity(board: &Board, kinds: &Kinds) -> Element {
        Element {
            cells: (0..board.size() as u8).collect(),
            kinds: (0..kinds.len() as u8).collect(),
            turns: vec![false; kinds.len()],
        }
    }

    /// The image of a position.
    pub fn image(&self, kinds: &Kinds, slots: &[Slot]) -> Vec<Slot> {
        let image = |slot: &Slot| {
            let kind = self.kinds[usize::from(slot.kind)];
            let (cells, descends) = self.pair(slot.cells);
            let turned = slot.turned ^ descends ^ self.turns[usize::from(slot.kind)];
            Slot {
                cells,
                kind,
                turned: turned && !kinds.equal_ends(kind),
            }
        };
        let mut slots: Vec<Slot> = slots.iter().map(image).collect();
        slots.sort_unstable();
        slots
    }

    /// The image of a pair of cells, and whether their order is turned round.
    pub fn pair(&self, cells: [u8; 2]) -> ([u8; 2], bool) {
        let [a, b] = cells.map(|cell| self.cells[usize::from(cell)]);
        ([a.min(b), a.max(b)], a > b)
    }

    /// The symmetry that turns the board so and maps one position to another; `None` if there is
    /// none.
    fn between(cells: Vec<u8>, kinds: &Kinds, from: &[Slot], to: &[Slot]) -> Option<Element> {
        let mut element = Element {
            cells,
            kinds: vec![u8::MAX; kinds.len()],
            turns: vec![false; kinds.len()],
        };
        for slot in from {
            let (cells, descends) = element.pair(slot.cells);
            let image = to.iter().find(|other| other.cells == cells)?;
            let kind = usize::from(slot.kind);
            let equal_ends = kinds.equal_ends(slot.kind);
            if element.kinds[kind] == u8::MAX {
                if element.kinds.contains(&image.kind) || kinds.equal_ends(image.kind) != equal_ends
                {
                    return None;
                }
                element.kinds[kind] = image.kind;
                element.turns[kind] = !equal_ends && slot.turned ^ descends ^ image.turned;
            }
        }
        // Other gourds of a kind may contradict the first one.
        (element.image(kinds, from) == to).then_some(element)
    }
}

/// The symmetries that map the set of solved positions to itself, the identity first.
pub(super) fn group(board: &Board, kinds: &Kinds, solved: &[Vec<Slot>]) -> Vec<Element> {
    let cells_of = |slots: &[Slot]| slots.iter().map(|slot| slot.cells).collect::<Vec<_>>();
    let by_shape: HashMap<_, _> = solved
        .iter()
        .map(|slots| (cells_of(slots), slots))
        .collect();
    let set: HashSet<&Vec<Slot>> = solved.iter().collect();
    let mut elements = Vec::new();
    let Some(first) = solved.first() else {
        return vec![Element::identity(board, kinds)];
    };
    for cells in board.symmetries() {
        let mut image: Vec<[u8; 2]> = Vec::new();
        for slot in first {
            let [a, b] = slot.cells.map(|cell| cells[usize::from(cell)]);
            image.push([a.min(b), a.max(b)]);
        }
        image.sort_unstable();
        if let Some(to) = by_shape.get(&image)
            && let Some(element) = Element::between(cells, kinds, first, to)
            && solved
                .iter()
                .all(|slots| set.contains(&element.image(kinds, slots)))
        {
            elements.push(element);
        }
    }
    elements
}

/// For every shape, the symmetries that send it to the lowest shape it can be sent to.
#[derive(Clone, Debug)]
pub(super) struct Images {
    slots: usize,
    elements: Box<[Relabelling]>,
    /// Where the images of each shape begin; one more entry than there are shapes.
    first: Box<[u32]>,
    images: Box<[Image]>,
    /// `[image][slot]`: where each slot goes.
    places: Box<[u8]>,
}

/// What a symmetry does to kinds.
#[derive(Clone, Debug)]
struct Relabelling {
    kinds: Word,
    /// The kinds whose ends are exchanged.
    turns: u32,
}

/// What a symmetry does to a shape.
#[derive(Clone, Copy, Debug)]
struct Image {
    shape: u16,
    element: u8,
    /// The slots whose cells change their order.
    turns: u32,
}

/// The least image of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Least {
    pub shape: u64,
    pub word: Word,
    pub bits: u32,
    /// How many symmetries lead to it: as many as leave the position unchanged.
    pub ways: u64,
}

impl Images {
    /// The tables of a group on at most 65,536 shapes.
    pub fn new(board: &Board, shapes: &Shapes, group: &[Element]) -> Images {
        let slots = board.gourds();
        let mut first = vec![0];
        let mut images = Vec::new();
        let mut places = Vec::new();
        for rank in 0..shapes.count() {
            let shape = shapes.unrank(rank);
            let ranks = group.iter().map(|g| shapes.rank(&shape.image(&g.cells)));
            let ranks: Vec<u64> = ranks.collect();
            let lowest = ranks.iter().copied().min().unwrap_or(rank);
            for (number, element) in group.iter().enumerate() {
                if ranks[number] != lowest {
                    continue;
                }
                let target: Vec<[u8; 2]> = shapes.unrank(lowest).pairs().collect();
                let mut turns = 0;
                for (slot, pair) in shape.pairs().enumerate() {
                    let (cells, descends) = element.pair(pair);
                    turns |= u32::from(descends) << slot;
                    // The image of a pair is a pair of the image.
                    places.push(target.binary_search(&cells).unwrap_or(0) as u8);
                }
                images.push(Image {
                    shape: lowest as u16,
                    element: number as u8,
                    turns,
                });
            }
            first.push(images.len() as u32);
        }
        Images {
            slots,
            elements: group.iter().map(Relabelling::new).collect(),
            first: first.into(),
            images: images.into(),
            places: places.into(),
        }
    }

    /// Whether every position over this shape is the least one: only the identity counts.
    #[inline(always)]
    pub fn stays(&self, shape: u64) -> bool {
        let first = self.first[shape as usize];
        self.first[shape as usize + 1] - first == 1 && self.images[first as usize].element == 0
    }

    /// The least image of a position: lowest shape, then lowest word, then lowest bits. The bits
    /// of the kinds in `equal_ends` say nothing and stay 0.
    #[inline]
    pub fn least(&self, shape: u64, word: &Word, bits: u32, equal_ends: u32) -> Least {
        let range = self.first[shape as usize] as usize..self.first[shape as usize + 1] as usize;
        let mut least = Least {
            shape,
            word: [u8::MAX; MOST_SLOTS + 1],
            bits: 0,
            ways: 0,
        };
        for number in range {
            let image = &self.images[number];
            let places = &self.places[number * self.slots..][..self.slots];
            let relabelling = &self.elements[usize::from(image.element)];
            let mut turned = [0; MOST_SLOTS + 1];
            let mut turned_bits = 0;
            let bits = bits ^ image.turns;
            for (slot, &place) in places.iter().enumerate() {
                let kind = word[slot];
                let new = relabelling.kinds[usize::from(kind)];
                turned[usize::from(place)] = new;
                let bit = (bits >> slot ^ relabelling.turns >> kind) & !(equal_ends >> new) & 1;
                turned_bits |= bit << place;
            }
            match (&turned, turned_bits).cmp(&(&least.word, least.bits)) {
                std::cmp::Ordering::Greater => {}
                std::cmp::Ordering::Equal => least.ways += 1,
                std::cmp::Ordering::Less => {
                    least = Least {
                        shape: image.shape.into(),
                        word: turned,
                        bits: turned_bits,
                        ways: 1,
                    };
                }
            }
        }
        least
    }
}

impl Relabelling {
    fn new(element: &Element) -> Relabelling {
        let mut kinds = [0; MOST_SLOTS + 1];
        kinds[..element.kinds.len()].copy_from_slice(&element.kinds);
        let turns = (0..).zip(&element.turns);
        Relabelling {
            kinds,
            turns: turns.fold(0, |set, (kind, &turns)| set | u32::from(turns) << kind),
        }
    }
}

/// The shape of a position.
pub(super) fn shape_of(board: &Board, slots: &[Slot]) -> Shape {
    Shape::new(board, slots.iter().map(|slot| slot.cells))
}
