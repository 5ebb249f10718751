//! What a command may use: memory and threads, by the same words everywhere.

use crate::text::parse_bytes;

/// Memory and threads.
#[derive(clap::Args)]
pub struct Means {
    /// Memory to use, for example 16G [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Threads to use [default: one for every core, as far as memory is enough for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Means {
    /// How many threads the user wants.
    pub fn threads(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}
