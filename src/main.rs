//! The `godnum` command: arguments, a call, an exit code. See the library for everything else.

fn main() -> std::process::ExitCode {
    godnum::cli::main()
}
