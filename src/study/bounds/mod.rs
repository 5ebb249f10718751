//! What is proven about God's numbers that have not been computed: the best lower and upper bound that
//! follow from the levels at hand, each with its argument and its evidence.
//!
//! # Arguments
//! 1. All levels are known: the last one has God's number.
//! 2. The first levels are known: there is a level for each of them, and for each that it takes until
//!    the levels can hold all states (or classes), however fast they grow ([`Growth`], `counting`).
//! 3. The puzzle is related to others ([`Relation`]): its number is at least that of another one, or at
//!    most the sum of several.
//! 4. A proof of an upper bound ([`prove`](mod@crate::study::prove)), or a state that is a witness of a lower one
//!    ([`witness`](mod@crate::study::witness)): each with a certificate, which `verify` checks.
//!
//! What others have published is cited beside the bounds, and never argued with.
//!
//! Bounds are carried along relations until none gets better. A bound is only ever replaced by a better
//! one, so no argument can rest on itself.
//!
//! # Evidence
//! Jobs, also unfinished ones and ones that are being worked on, and tables `level,classes,states`
//! (`evidence`). A table does not say whether it is complete: it is if its states are all there are.
//! Anything that levels cannot be is refused as damaged, never passed over.

mod certificates;
mod counting;
mod evidence;

use std::path::PathBuf;

pub use evidence::{Evidence, EvidenceLibrary, EvidenceSource, LevelLimits};

use crate::engine::JOBS;
use crate::error::{Error, Instead, Result};
use crate::puzzle::{Growth, Published, Question, Relation, Rules};
use crate::puzzles::registry;
use crate::store::disk::is_dir;
use crate::text::{count, pluralise};
use counting::{DepthBound, depth_bound, sum};

/// Why a bound holds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct BoundProof {
    /// The puzzle that it is about.
    pub puzzle: String,
    /// The bound.
    pub bound: u32,
    /// The argument, in a sentence or two without a period at the end.
    pub argument: String,
    /// The levels that it rests on, if it does so itself.
    pub evidence: Option<String>,
    /// What else it rests on: bounds of the same sort for other puzzles.
    pub parts: Vec<BoundProof>,
}

/// What is proven about a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvenBounds {
    /// The puzzle.
    pub puzzle: String,
    /// The proven lower bound.
    pub least: BoundProof,
    /// The proven upper bound, if there is one.
    pub most: Option<BoundProof>,
    /// What others have published, if it says more.
    pub published: Option<Published>,
    /// Sentences about what could make the bounds better.
    pub help: Vec<String>,
}

impl ProvenBounds {
    /// The number itself, if the bounds meet.
    pub fn exact(&self) -> Option<u32> {
        let most = self.most.as_ref()?.bound;
        (most == self.least.bound).then_some(most)
    }
}

/// Where evidence is looked for unless the user says otherwise.
pub fn default_places() -> Vec<PathBuf> {
    let places = [JOBS, "results"].map(PathBuf::from);
    // What cannot be looked at is not left out in silence.
    places.into_iter().filter(|place| !matches!(is_dir(place), Ok(false))).collect()
}

/// The best bounds that follow from the evidence in a library.
pub fn bounds(puzzle: &dyn Rules, library: &EvidenceLibrary) -> Result<ProvenBounds> {
    let mut graph = RelationGraph { nodes: vec![PuzzleNode::new(puzzle, library)?] };
    let mut next = 0;
    while next < graph.nodes.len() {
        let relations = graph.nodes[next].relations.clone();
        for text in relations.iter().flat_map(Relation::others) {
            if graph.find(text).is_none() {
                let node = PuzzleNode::new(&*registry::parse(text)?, library)?;
                // A puzzle that spells another one's text in its own way must not continue forever.
                if graph.find(&node.text).is_none() {
                    graph.nodes.push(node);
                }
            }
        }
        next += 1;
    }
    while graph.improve() {}
    let node = &graph.nodes[0];
    let (least, most) = (&node.least, node.most.as_ref());
    if let Some(most) = most.filter(|most| most.bound < least.bound) {
        return Err(Error::verification(format!(
            "the evidence about {} contradicts itself: it would be at least {} ({}) and at most {} ({})",
            node.text, least.bound, least.argument, most.bound, most.argument
        )));
    }
    Ok(ProvenBounds {
        puzzle: node.text.clone(),
        least: least.clone(),
        most: most.cloned(),
        published: puzzle.published().filter(|published| {
            published.at_least > least.bound || most.is_none_or(|most| published.at_most < most.bound)
        }),
        help: graph.help(),
    })
}

/// What is known of one puzzle.
struct PuzzleNode {
    text: String,
    relations: Vec<Relation>,
    /// All classes there are.
    classes: Option<u128>,
    /// Whether it can be solved in two stages, so that an upper bound may be provable.
    has_subgoals: bool,
    /// Whether it could be enumerated at all.
    has_levels: bool,
    least: BoundProof,
    most: Option<BoundProof>,
}

impl PuzzleNode {
    fn new(puzzle: &dyn Rules, library: &EvidenceLibrary) -> Result<PuzzleNode> {
        let text = puzzle.text();
        if puzzle.question() == Question::Solutions {
            return Err(Error::Misdirected {
                fact: format!(
                    "the question about {text} is how many solutions it has, not how many moves \
                     they take"
                ),
                instead: Instead::Count(text),
            });
        }
        if puzzle.space().is_none() && puzzle.published().is_some() {
            return Ok(PuzzleNode::without_levels(text));
        }
        let limits = LevelLimits::of(puzzle).ok_or_else(|| {
            Error::Usage(format!("{text} has no index, so it has no levels that could prove anything"))
        })?;
        let evidence = library.about(puzzle, &limits)?;
        let least = from_levels(&text, &evidence, &limits);
        let mut node = PuzzleNode {
            relations: puzzle.relations(),
            classes: limits.classes,
            has_subgoals: puzzle.capabilities().subgoals.is_some(),
            has_levels: true,
            most: evidence.complete.then(|| least.clone()),
            least,
            text,
        };
        if let Some(most) = certificates::at_most(&node.text, library)
            && node.most.as_ref().is_none_or(|known| most.bound < known.bound)
        {
            node.most = Some(most);
        }
        if let Some(least) = certificates::at_least(&node.text, library)
            && least.bound > node.least.bound
        {
            node.least = least;
        }
        Ok(node)
    }

    /// A puzzle of which nothing can be proven here.
    fn without_levels(text: String) -> PuzzleNode {
        let least = BoundProof {
            puzzle: text.clone(),
            bound: 0,
            argument: "it has no index, so it has no levels that could prove anything".into(),
            evidence: None,
            parts: Vec::new(),
        };
        let (has_subgoals, has_levels) = (false, false);
        PuzzleNode { text, relations: Vec::new(), classes: None, has_subgoals, has_levels, least, most: None }
    }
}

/// What the levels of a puzzle prove on their own.
fn from_levels(puzzle: &str, evidence: &Evidence, limits: &LevelLimits) -> BoundProof {
    let last = evidence.last();
    let own = |bound, argument| BoundProof {
        puzzle: puzzle.to_owned(),
        bound,
        argument,
        evidence: Some(evidence.words()),
        parts: Vec::new(),
    };
    if evidence.complete {
        let states = sum(&evidence.states);
        return own(last, format!("all {} are in levels 0 to {last}", pluralise(states, "state")));
    }
    let fewest_classes = match (limits.classes, limits.states, limits.group_order) {
        (Some(classes), ..) => Some(classes),
        (None, Some(states), order @ 1..) => Some(states.div_ceil(order)),
        _ => None,
    };
    let sorts = [
        ("states", &evidence.states, limits.states, limits.state_growth.as_ref()),
        ("classes", &evidence.classes, fewest_classes, Some(&limits.class_growth)),
    ];
    let bounds = sorts.into_iter().filter_map(|(what, levels, total, growth)| {
        let (total, growth) = (total?, growth?);
        let found = depth_bound(levels, total, growth)?;
        Some((found, counted(what, total, growth, found)))
    });
    match bounds.reduce(|best, next| if next.0.level > best.0.level { next } else { best }) {
        Some((found, argument)) if found.level >= last => own(found.level, argument),
        _ => own(last, format!("there is a level {last}")),
    }
}

/// The counting argument in words.
fn counted(what: &str, total: u128, growth: &Growth, found: DepthBound) -> String {
    let Some(before) = found.level.checked_sub(1) else {
        return "no puzzle takes less than 0 moves".into();
    };
    let terms: Vec<String> = (1..)
        .zip(&growth.later)
        .map(|(back, factor)| match back {
            1 => format!("{factor} times the {what} of level k - 1"),
            _ => format!("{factor} times those of level k - {back}"),
        })
        .collect();
    let known = match before {
        0 => "level 0 holds".into(),
        _ => format!("levels 0 to {before} hold"),
    };
    format!(
        "{}. So level k has at most {}, {known} at most {} of the {} {what}, and there must be a \
         level {}",
        growth.why,
        terms.join(" plus "),
        count(found.before),
        count(total),
        found.level
    )
}

/// Puzzles and how they are related; the one that is asked about first.
struct RelationGraph {
    nodes: Vec<PuzzleNode>,
}

impl RelationGraph {
    fn find(&self, text: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.text == text)
    }

    /// Carries bounds along all relations once; whether any got better.
    fn improve(&mut self) -> bool {
        let mut better = false;
        for place in 0..self.nodes.len() {
            for relation in self.nodes[place].relations.clone() {
                better |= match relation {
                    Relation::AtLeast { other, why } => self.raise(place, &other, why),
                    Relation::AtMost { parts, times, extra, why } => {
                        self.lower(place, &parts, (times, extra), why)
                    }
                };
            }
        }
        better
    }

    fn raise(&mut self, place: usize, other: &str, why: String) -> bool {
        let Some(part) = self.find(other) else {
            return false;
        };
        let proof = self.nodes[part].least.clone();
        let better = proof.bound > self.nodes[place].least.bound;
        if better {
            self.nodes[place].least = BoundProof {
                puzzle: self.nodes[place].text.clone(),
                bound: proof.bound,
                argument: format!("no less than for {other}: {why}"),
                evidence: None,
                parts: vec![proof],
            };
        }
        better
    }

    fn lower(&mut self, place: usize, texts: &[String], (times, extra): (u32, u32), why: String) -> bool {
        let proofs = texts.iter().map(|text| self.nodes[self.find(text)?].most.clone());
        let Some(parts) = proofs.collect::<Option<Vec<BoundProof>>>() else {
            return false;
        };
        let sum = parts.iter().try_fold(0u32, |sum, part| sum.checked_add(part.bound));
        let bound = sum.and_then(|sum| sum.checked_mul(times)?.checked_add(extra));
        let current = self.nodes[place].most.as_ref();
        let Some(bound) = bound.filter(|&bound| current.is_none_or(|most| bound < most.bound)) else {
            return false;
        };
        let pairs = parts.iter().zip(texts);
        let terms = pairs.map(|(part, text)| format!("{} for {text}", part.bound));
        let terms: Vec<String> = terms.collect();
        let mut formula = terms.join(" + ");
        if times > 1 {
            formula = format!("{times} x {formula}");
        }
        if extra > 0 {
            formula += &format!(" + {extra}");
        }
        self.nodes[place].most = Some(BoundProof {
            puzzle: self.nodes[place].text.clone(),
            bound,
            argument: format!("{formula}: {why}"),
            evidence: None,
            parts,
        });
        true
    }

    /// What could make the bounds of the first puzzle better.
    fn help(&self) -> Vec<String> {
        let node = &self.nodes[0];
        if node.most.as_ref().is_some_and(|most| most.bound == node.least.bound) {
            return Vec::new();
        }
        // One that is not smaller than the puzzle itself would be no help.
        let smaller = |part: &&PuzzleNode| match (part.classes, node.classes) {
            (Some(part), Some(all)) => part < all,
            _ => false,
        };
        let which = if node.most.is_some() { "another" } else { "an" };
        let mut help = Vec::new();
        for relation in &node.relations {
            let Relation::AtMost { parts, .. } = relation else {
                continue;
            };
            let parts = parts.iter().filter_map(|text| self.find(text));
            let missing: Vec<&PuzzleNode> =
                parts.map(|part| &self.nodes[part]).filter(|part| part.most.is_none()).collect();
            if !missing.is_empty() && missing.iter().all(smaller) {
                let command =
                    |part: &&PuzzleNode| format!("`godnum enumerate {}`{}", part.text, of_classes(part));
                let commands: Vec<String> = missing.iter().map(command).collect();
                help.push(format!("{} would give {which} upper bound", commands.join(" together with ")));
            }
        }
        if let Some(most) = node.most.as_ref().filter(|_| node.has_subgoals) {
            help.push(format!(
                "`godnum prove {} --at-most {}` would give a better upper bound, if it succeeds",
                node.text,
                most.bound - 1
            ));
        }
        if !node.has_levels {
            return help;
        }
        help.push(format!(
            "`godnum enumerate {}`{} would give the number itself, and its first levels can give a \
             better lower bound",
            node.text,
            of_classes(node)
        ));
        help
    }
}

fn of_classes(node: &PuzzleNode) -> String {
    node.classes.map_or(String::new(), |classes| format!(" ({} classes)", count(classes)))
}
