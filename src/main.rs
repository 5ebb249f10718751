//! The `godnum` command: arguments, a call, an exit code. See the library for everything else.

use godnum::store::memory::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> std::process::ExitCode {
    godnum::cli::main(Vec::new())
}
