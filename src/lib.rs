//! `godnum` computes God's numbers: the largest distance, in moves, from any state of a puzzle to
//! its solved states. It walks the whole state graph level by level with the frontier on disk, can
//! be stopped and resumed at any time, and checks what it prints.
//!
//! # Words
//!
//! - A **state** is one position of a puzzle. States that the puzzle's symmetry group (symmetries
//!   of the board, permutations of colours) makes equal form a **class**; all of them are equally
//!   far from being solved, so one stands for all.
//! - Every class has an **index**, a number below the space's *universe*. The engine sees nothing
//!   but indices.
//! - A **level** is the set of classes at one distance from the solved ones (the *roots*, level
//!   0); a **level set** is its indices, ascending, in a file. The number of the last level is
//!   God's number.
//! - Expanding a level gives **candidates**, indices that may be new. Sorted and freed of repeats
//!   they form a **run**; what is left of them after subtracting the two levels before is the next
//!   level.
//! - A **job** is one enumeration: a directory that holds its description, its level sets, its
//!   counts, and a manifest of what is safe.
//!
//! # Data flow
//!
//! ```text
//! puzzle rules --> space ----> engine ------------------------> job directory --> people
//!  (moves,         (index <->   expand -> gather -> drain ->     levels.csv        status, levels,
//!   symmetry,       class,      subtract -> commit               level sets        plot, verify,
//!   notation)       neighbours)  once per level                  manifest          antipodes
//! ```
//!
//! A finished job is also a table of all distances, and solvers stand beside it:
//!
//! ```text
//! puzzle rules --> solver ------> attempt (moves, lower bound) --> replayed --> solve, hint, sample
//!  (moves,          prepared with  IDA*, beam, bidirectional,       by the
//!   heuristic)      cached tables  or down the levels of a job      rules
//! ```
//!
//! Each arrow has one direction. The engine does not know which puzzle it walks, a puzzle does not
//! know how it is walked, and the command line knows both and computes nothing.
//!
//! # Numbers
//!
//! Counts of states, classes and candidates are `u128`, indices `u64` or `u128`; whatever can exceed
//! them is checked where it is read or built, and refused in words. Sizes and positions are 64 bits,
//! and so are pointers: other targets are refused by the compiler. Estimates may saturate.
//!
//! # A complete enumeration
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use godnum::engine::{Control, Options, Silent};
//! use godnum::puzzle;
//! use godnum::puzzles::registry;
//!
//! let wrapslide = registry::parse("wrapslide:4x4:2")?;
//! let dir = std::env::temp_dir().join(format!("godnum-guide-{}", std::process::id()));
//! let stop = AtomicBool::new(false);
//! let control = Control { stop: &stop, observer: &Silent };
//! let outcome = puzzle::enumerate(&*wrapslide, &dir, &Options::default(), control)?;
//! let classes: Vec<u128> = outcome.manifest.levels.iter().map(|l| l.classes).collect();
//! assert_eq!(classes, [1, 1, 2, 10, 24, 28, 12]); // God's number is 6
//! # std::fs::remove_dir_all(&dir).unwrap();
//! # Ok::<(), godnum::error::Error>(())
//! ```
//!
//! # Features
//!
//! `play`, `png` and `serve` are cargo features, on by default: games in a terminal, plots as PNG, and
//! the local page. `cluster`, which is not, lets several processes compute one job.
//!
//! # Modules
//!
//! A module uses only modules above it in this table; `tests/layers.rs` derives the edges from the
//! sources and fails on any other.
//!
//! | module | what lives there |
//! |---|---|
//! | [`text`] | counts, sizes, durations, plurals, shell quoting, plain tables |
//! | [`build_info`] | version, commit and features of this build |
//! | [`error`] | what went wrong and where |
//! | [`random`] | choices that a seed determines in every later version |
//! | [`encode`] | bit packing; ranking of combinations, multiset permutations, permutations |
//! | [`symmetry`] | finite groups, the generic canonical form, counting classes |
//! | [`space`] | all that the engine sees of a puzzle |
//! | [`store`] | files, locks, sealed JSON, level sets, tables on large pages |
//! | [`engine`] | the level loop: pipeline, containers, jobs, verification |
//! | [`puzzle`] | what makes a puzzle: its rules, and what else it may offer |
//! | [`solve`] | solvers: table descent, IDA*, A*, beam, bidirectional; tables in the user's cache |
//! | [`puzzles`] | one folder per kind, and the list of kinds |
//! | [`study`] | sampling, counting, bounds, experiments, benchmarks |
//! | `report` | level tables in several formats, plots |
//! | `play` | games: by keys in a terminal, or line by line |
//! | `serve` | the local page: a small server and its embedded assets |
//! | `cluster` | one job on several processes, on timely dataflow |
//! | [`guide`] | the chapters that `godnum help TOPIC` prints |
//! | [`cli`] | one file per subcommand |

// Lengths of files and tables are 64 bits, and all of them are used as sizes in memory.
#[cfg(not(target_pointer_width = "64"))]
compile_error!(
    "godnum needs a target with 64-bit pointers: its tables and files are larger than others can address"
);

pub mod build_info;
pub mod cli;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod encode;
pub mod engine;
pub mod error;
pub mod guide;
#[cfg(feature = "play")]
pub(crate) mod play;
pub mod puzzle;
pub mod puzzles;
pub mod random;
pub(crate) mod report;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub mod solve;
pub mod space;
pub mod store;
pub mod study;
pub mod symmetry;
pub mod text;
