//! `godnum enumerate --cluster`: one job on several processes.

#[cfg(feature = "cluster")]
mod joint;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::enumerate::EngineArgs;
use crate::error::Result;
use crate::puzzle::Rules;
use crate::text::parse_duration;

/// Several processes.
#[derive(clap::Args)]
pub struct ClusterArgs {
    /// Compute the job with several processes: local:N on this machine, slurm, or a file with one
    /// host:port for each (see `godnum help cluster`)
    #[arg(long, value_name = "HOSTS")]
    cluster: Option<OsString>,
    /// Which of them this process is, with a file: 0 for its first line
    #[arg(long, value_name = "K", requires = "cluster")]
    process: Option<usize>,
    /// Regard a process as lost if it gives no sign of life for this long
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_duration)]
    dead_after: Duration,
    /// The file with the secret that all processes share; local:N makes its own
    #[arg(long, value_name = "FILE", requires = "cluster")]
    secret: Option<PathBuf>,
}

impl ClusterArgs {
    /// Whether the user wants several processes.
    pub fn is_given(&self) -> bool {
        self.cluster.is_some()
    }

    /// Runs one process of a job; the first shows how it ended.
    #[cfg(not(feature = "cluster"))]
    pub fn walk(&self, _: &dyn Rules, _: &Path, _: &EngineArgs) -> Result<()> {
        let _ = (&self.cluster, self.process, self.dead_after, &self.secret);
        super::lacks("cluster", "run a job with several processes")
    }

    /// Runs one process of a job; the first shows how it ended.
    #[cfg(feature = "cluster")]
    pub fn walk(&self, puzzle: &dyn Rules, dir: &Path, arguments: &EngineArgs) -> Result<()> {
        joint::walk(self, puzzle, dir, arguments)
    }
}
