//! What level sets cost: writing, reading, subtracting.

mod common;

use std::path::Path;

use common::{ascending, criterion};
use criterion::{BatchSize, Criterion, Throughput};
use godnum::space::Index;
use godnum::store::disk::Disk;
use godnum::store::level_set::block::{self, BLOCK, Packing};
use godnum::store::level_set::{CodedBlock, SetHeader, SetKind, SetWriter, SortedSet};

/// About how many indices a set has.
const COUNT: usize = 1 << 18;

fn main() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut criterion = criterion();
    // One index in two, in a thousand, in 2^40.
    measure::<u64>(&mut criterion, "dense", dir.path(), 1);
    measure::<u64>(&mut criterion, "sparse", dir.path(), 10);
    measure::<u128>(&mut criterion, "wide", dir.path(), 40);
    criterion.final_summary();
}

fn measure<I: Index>(criterion: &mut Criterion, name: &str, dir: &Path, bits: u32) {
    let universe = (COUNT as u128) << bits;
    let indices: Vec<I> = ascending(COUNT, I::narrow(universe));
    let path = dir.join(name);
    let set_header =
        SetHeader { kind: SetKind::Level, puzzle: name.into(), content: None, scheme: 1, level: 1, universe };
    let disk = Disk::new(None, 0);
    let write = || {
        let mut writer = SetWriter::<I>::create(&disk, &path, &set_header).expect("a file");
        for piece in indices.chunks(BLOCK) {
            let mut bytes = Vec::new();
            block::encode(piece, Packing::Small, &mut bytes);
            let coded = CodedBlock { bytes, states: 0 };
            writer.append(&coded).expect("room on the disk");
        }
        writer.end(false).expect("room on the disk")
    };

    let mut group = criterion.benchmark_group("level set");
    group.throughput(Throughput::Elements(indices.len() as u64));
    group.bench_function(format!("{name}, write"), |bencher| bencher.iter(write));
    group.bench_function(format!("{name}, code a run"), |bencher| {
        bencher.iter(|| SortedSet::in_memory(&indices));
    });
    write();
    let set = SortedSet::<I>::open(&path, &set_header).expect("the set just written");
    let mut block = Vec::with_capacity(BLOCK);
    group.bench_function(format!("{name}, read"), |bencher| {
        bencher.iter(|| {
            for number in 0..set.blocks() {
                block.clear();
                set.block(number, &mut block).expect("a sound block");
            }
        });
    });
    // At least half of what is drained is known, as moves that lead back make it.
    let mut drained: Vec<I> = indices.iter().flat_map(|&index| [index, index + I::of(1)]).collect();
    drained.dedup();
    group.throughput(Throughput::Elements(drained.len() as u64));
    group.bench_function(format!("{name}, subtract"), |bencher| {
        bencher.iter_batched_ref(
            || drained.clone(),
            |list| set.subtract_from(list).expect("a sound set"),
            BatchSize::PerIteration,
        );
    });
    group.finish();
}
