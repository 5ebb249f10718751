//! What the containers cost: candidates scattered into a bitmap, sorted into runs, merged.

mod common;

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64};

use common::{candidates, classes, criterion, numbers};
use criterion::{BatchSize, Criterion, Throughput};
use godnum::engine::budget::Budget;
use godnum::engine::container::{Container, ContainerContext};
use godnum::engine::dense::Dense;
use godnum::engine::sparse::Sparse;
use godnum::engine::{Control, Description, Silent};
use godnum::puzzle::subject;
use godnum::puzzles::registry;
use godnum::space::AnySpace;
use godnum::store::disk::Disk;
use godnum::store::level_set::SetKind;

/// How many candidates are handed over at a time: as a batch has.
const HANDFUL: usize = 1024;
/// Runs that are merged.
const RUNS: usize = 8;

fn main() {
    let puzzle = registry::parse("tiles:3x4").expect("a puzzle");
    let Some(AnySpace::Narrow(space)) = puzzle.space() else {
        panic!("tiles:3x4 has indices of 64 bits");
    };
    let universe = space.universe();
    // Candidates as a level gives them, near each other, and as no cache likes them.
    let real = candidates(space, &classes(space, 1 << 19));
    let scattered = numbers(real.len(), universe);

    let dir = tempfile::tempdir().expect("a directory");
    let set_header = Description::of(&subject(&*puzzle).expect("an index")).set_header(SetKind::Run, 1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let stop = AtomicBool::new(false);
    let budget = Budget::new(1 << 30, 1).expect("a budget");
    let context = ContainerContext {
        disk: &Disk::new(None, 0),
        run_dir: dir.path(),
        set_header: &set_header,
        budget: &budget,
        serial: &AtomicU64::new(0),
        pool: &pool,
        control: Control { stop: &stop, observer: &Silent },
    };

    let mut criterion = criterion();
    for (name, candidates) in [("tiles:3x4", &real), ("uniform", &scattered)] {
        dense(&mut criterion, name, context, universe, candidates);
        sparse(&mut criterion, name, context, universe, candidates);
    }
    criterion.final_summary();
}

/// Candidates into a bitmap, and out of it.
fn dense(criterion: &mut Criterion, name: &str, context: ContainerContext<'_>, universe: u64, all: &[u64]) {
    let empty = || {
        let dense = Dense::new(context, (0, universe), &[], None);
        dense.expect("no file to read and no stop")
    };
    let fill = |dense: &Dense<'_, u64>, buffer: &mut Vec<u64>| {
        for handful in all.chunks(HANDFUL) {
            buffer.extend_from_slice(handful);
            dense.push(buffer).expect("no file to write");
        }
        dense.flush(buffer).expect("no file to write");
    };
    run(
        criterion,
        ("scatter", name, all.len()),
        || (empty(), Vec::new()),
        |(dense, buffer)| fill(dense, buffer),
    );
    run(
        criterion,
        ("gather", name, all.len()),
        || {
            let dense = empty();
            fill(&dense, &mut Vec::new());
            dense
        },
        |dense| take_all(dense),
    );
}

/// Candidates into one run, and out of several.
fn sparse(criterion: &mut Criterion, name: &str, context: ContainerContext<'_>, universe: u64, all: &[u64]) {
    let empty = || {
        let sparse = Sparse::new(context, (0, universe), &[]);
        sparse.expect("no file to read and no stop")
    };
    run(
        criterion,
        ("sort", name, all.len()),
        || (empty(), all.to_vec()),
        |(sparse, buffer)| sparse.flush(buffer).expect("no file to write"),
    );
    run(
        criterion,
        ("merge", name, all.len()),
        || {
            let sparse = empty();
            for part in 0..RUNS {
                // Every run reaches over the whole universe.
                let mut buffer: Vec<u64> = all.iter().skip(part).step_by(RUNS).copied().collect();
                sparse.flush(&mut buffer).expect("no file to write");
            }
            sparse
        },
        |sparse| take_all(sparse),
    );
}

/// Takes every bucket out of a container, as the pipeline does.
fn take_all(container: &dyn Container<u64>) {
    let mut low = 0;
    loop {
        let buckets = container.buckets(low).expect("sound runs");
        let Some(&(_, end)) = buckets.last() else {
            return;
        };
        low = end;
        for bucket in buckets {
            black_box(container.drain_bucket(bucket, &[]).expect("sound runs"));
        }
    }
}

/// Measures work that uses up what it is given.
fn run<T>(
    criterion: &mut Criterion,
    (group, name, elements): (&str, &str, usize),
    given: impl Fn() -> T,
    work: impl Fn(&mut T),
) {
    let mut group = criterion.benchmark_group(group);
    group.throughput(Throughput::Elements(elements as u64));
    group.bench_function(name, |bencher| {
        bencher.iter_batched_ref(&given, &work, BatchSize::PerIteration);
    });
    group.finish();
}
