//! Options that several commands share: memory, threads, progress and JSON.

use crate::text::parse_bytes;

/// Memory and threads.
#[derive(clap::Args)]
pub struct ResourceArgs {
    /// Memory to use, for example 16G [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Threads to use [default: one per core, or as many as memory allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ResourceArgs {
    /// How many threads the user wants.
    pub fn threads(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

/// What a command prints.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}
