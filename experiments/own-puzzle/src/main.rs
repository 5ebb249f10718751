//! The whole command line of godnum, with one kind of puzzle more.

mod pancake;

use std::process::ExitCode;

use godnum::store::memory::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    godnum::cli::main(vec![pancake::KIND])
}
