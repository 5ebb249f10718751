//! The symmetries of a puzzle, and the least image of a position under them.
//!
//! A symmetry turns the board and exchanges kinds of gourds, perhaps with their ends, so that
//! solved positions stay solved. Over one shape there is at most one solved position, because the
//! cells say what must lie on them; so the image of one solved position determines what happens to
//! the kinds, and there are at most as many symmetries as the board has. The group itself, and the
//! counting of classes, are those of [`symmetry`](crate::symmetry).
//!
//! The index of a position is led by the number of its shape. So of all symmetries only those
//! count that send its shape to the lowest one: these are tabulated, and most shapes have just one.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::arrangements::{KindWord, MOST_SLOTS};
use super::board::HexBoard;
use super::kinds::{Kinds, Slot};
use super::shapes::{Shape, Shapes};
use crate::symmetry::{Action, Cycles, Group, Points, Symmetry};

/// The symmetries of a puzzle, as they act on labellings of all pairs of neighbouring cells.
///
/// A pair is a slot with two orientations. What lies there is a kind of gourd, with one orientation
/// if its ends are equal and two otherwise, or nothing.
#[derive(Clone, Debug)]
pub(super) struct Symmetries {
    /// All pairs of neighbouring cells, smaller cell first, ascending.
    pub pairs: Vec<[u8; 2]>,
    counts: Vec<usize>,
    pub action: Action,
    pub group: Group,
}

impl Symmetries {
    /// Those that map the set of solved positions to itself.
    /// `None` if there are more pairs and kinds than can be numbered, which no board has.
    pub fn new(board: &HexBoard, kinds: &Kinds, solved: &[Vec<Slot>]) -> Option<Symmetries> {
        let partners = |cell| board.partners(cell).into_iter().flatten();
        let pairs: Vec<[u8; 2]> = (0..board.size())
            .flat_map(|cell| partners(cell).map(move |other| [cell as u8, other as u8]))
            .collect();
        let ends = (0..kinds.len() as u8).map(|kind| 2 - usize::from(kinds.equal_ends(kind)));
        let action = Action::new(Points::new(pairs.iter().map(|_| 2))?, Points::new(ends.chain([1]))?)?;
        let mut symmetries = Symmetries {
            group: Group::generate(&action, &[])?,
            counts: kinds.counts().into_iter().chain([0]).collect(),
            action,
            pairs,
        };
        let generators = symmetries.keeping(board, solved);
        symmetries.group = Group::generate(&symmetries.action, &generators)?;
        Some(symmetries)
    }

    /// The symmetries of a board, with the relabellings that keep a set of positions.
    fn keeping(&self, board: &HexBoard, solved: &[Vec<Slot>]) -> Vec<Symmetry> {
        let set: HashSet<Vec<u8>> = solved.iter().map(|slots| self.labelling(slots)).collect();
        let shape = |labelling: &[u8]| -> Vec<bool> {
            labelling.iter().map(|&label| label == self.nothing()).collect()
        };
        let by_shape: HashMap<_, _> = set.iter().map(|found| (shape(found), found)).collect();
        let Some(first) = solved.first().map(|slots| self.labelling(slots)) else {
            return Vec::new();
        };
        let symmetry = |cells: Vec<u8>| {
            let motion = self.action.moving(self.pairs.iter().map(|pair| {
                let [a, b] = pair.map(|cell| cells[usize::from(cell)]);
                (self.number([a.min(b), a.max(b)]), usize::from(a > b))
            }))?;
            let to = by_shape.get(&shape(&motion.image(&first)))?;
            let symmetry = self.action.between(&motion, &first, to)?;
            symmetry.keeps(&set).then_some(symmetry)
        };
        board.symmetries().into_iter().filter_map(symmetry).collect()
    }

    /// The label of a pair that no gourd lies on.
    pub fn nothing(&self) -> u8 {
        (self.action.pieces().pairs() - 1) as u8
    }

    /// The number of a pair of neighbouring cells.
    fn number(&self, pair: [u8; 2]) -> usize {
        self.pairs.binary_search(&pair).unwrap_or(0)
    }

    pub fn labelling(&self, slots: &[Slot]) -> Vec<u8> {
        let mut labels = vec![self.nothing(); self.pairs.len()];
        for slot in slots {
            let kind = usize::from(slot.kind);
            let label = self.action.pieces().pair(kind, usize::from(slot.turned));
            labels[self.number(slot.cells)] = label as u8;
        }
        labels
    }

    /// What a labelling says, slot by slot.
    fn labelled(&self, labels: &[u8]) -> Vec<Slot> {
        let pieces = self.action.pieces();
        let slot = |(&cells, &label): (&[u8; 2], &u8)| {
            let (kind, turn) = pieces.place(label.into());
            (label != self.nothing()).then_some(Slot { cells, kind: kind as u8, turned: turn == 1 })
        };
        self.pairs.iter().zip(labels).filter_map(slot).collect()
    }

    /// The images of a position under all symmetries.
    pub fn images(&self, slots: &[Slot]) -> Vec<Vec<Slot>> {
        let labels = self.labelling(slots);
        self.group.iter().map(|symmetry| self.labelled(&symmetry.image(&labels))).collect()
    }

    /// The pairs that a shape covers, as slots.
    fn slots(&self, shape: &Shape) -> Vec<usize> {
        shape.pairs().map(|pair| self.number(pair)).collect()
    }

    /// The number of classes of positions; `None` if it exceeds 128 bits.
    ///
    /// A symmetry fixes positions only over shapes that it keeps.
    pub fn classes(&self, shapes: &Shapes) -> Option<u128> {
        self.group.average(|element| {
            let mut known: HashMap<Cycles, u128> = HashMap::new();
            let mut sum = 0u128;
            for rank in 0..shapes.count() {
                let Some(cycles) = element.cycles(&self.slots(&shapes.unrank(rank))) else {
                    continue;
                };
                let fixed = match known.get(&cycles) {
                    Some(&fixed) => fixed,
                    None => element.fixed(&cycles, &self.counts)?,
                };
                known.insert(cycles, fixed);
                sum = sum.checked_add(fixed)?;
            }
            Some(sum)
        })
    }
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
    kinds: KindWord,
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
    pub word: KindWord,
    pub bits: u32,
    /// How many symmetries lead to it: as many as leave the position unchanged.
    pub ways: u64,
}

impl Images {
    /// The tables of a group on at most 65,536 shapes.
    pub fn new(board: &HexBoard, shapes: &Shapes, symmetries: &Symmetries) -> Images {
        let slots = board.gourds();
        let elements: Vec<&Symmetry> = symmetries.group.iter().collect();
        let mut first = vec![0];
        let mut images = Vec::new();
        let mut places = Vec::new();
        for rank in 0..shapes.count() {
            let own = symmetries.slots(&shapes.unrank(rank));
            let rank_of_image = |element: &&Symmetry| {
                let image = own.iter().map(|&slot| symmetries.pairs[element.slot(slot).0]);
                shapes.rank(&Shape::new(board, image))
            };
            let ranks: Vec<u64> = elements.iter().map(rank_of_image).collect();
            let lowest = ranks.iter().copied().min().unwrap_or(rank);
            let target = symmetries.slots(&shapes.unrank(lowest));
            for (number, element) in elements.iter().enumerate() {
                if ranks[number] != lowest {
                    continue;
                }
                let mut turns = 0;
                for (place, &slot) in own.iter().enumerate() {
                    let (image, turn) = element.slot(slot);
                    turns |= (turn as u32) << place;
                    // The image of a pair is a pair of the image.
                    places.push(target.binary_search(&image).unwrap_or(0) as u8);
                }
                images.push(Image { shape: lowest as u16, element: number as u8, turns });
            }
            first.push(images.len() as u32);
        }
        Images {
            slots,
            elements: elements.into_iter().map(Relabelling::new).collect(),
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
    pub fn least(&self, shape: u64, word: &KindWord, bits: u32, equal_ends: u32) -> Least {
        let range = self.first[shape as usize] as usize..self.first[shape as usize + 1] as usize;
        let mut least = Least { shape, word: [u8::MAX; MOST_SLOTS + 1], bits: 0, ways: 0 };
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
                Ordering::Greater => {}
                Ordering::Equal => least.ways += 1,
                Ordering::Less => {
                    let shape = image.shape.into();
                    least = Least { shape, word: turned, bits: turned_bits, ways: 1 };
                }
            }
        }
        least
    }
}

impl Relabelling {
    fn new(element: &Symmetry) -> Relabelling {
        let mut relabelling = Relabelling { kinds: [0; MOST_SLOTS + 1], turns: 0 };
        // The last label stands for nothing.
        for kind in 0..element.action().pieces().len() - 1 {
            let (image, turn) = element.piece(kind);
            relabelling.kinds[kind] = image as u8;
            relabelling.turns |= (turn as u32) << kind;
        }
        relabelling
    }
}
