//! What all levels of a job share.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use rayon::ThreadPool;

use super::Options;
use super::budget::{Budget, Charge};
use super::container::{Container, ContainerContext, Range};
use super::exchange::{Exchange, Owners, Traffic};
use super::forecast::{DiskRoom, SpaceProfile};
use super::job::Job;
use super::peers::Peers;
use super::pipeline::Worker;
use super::progress::{Control, ProgressCounters};
use super::way::MeasuredPace;
use crate::space::{Index, Space};
use crate::store::disk::Disk;
use crate::store::level_set::SetHeader;

/// The other processes of a walk, and who owns what.
pub(super) struct Joint<'a, I> {
    pub peers: &'a dyn Peers,
    pub owners: &'a Owners<I>,
    pub traffic: Traffic,
    /// The memory of messages.
    pub _charge: Charge<'a>,
}

/// What is enumerated, where, and with which resources. Nothing in it changes from level to level
/// apart from counters and the workers' buffers.
pub(super) struct JobContext<'a, I> {
    pub space: &'a dyn Space<I>,
    /// The indices that this process finds: in one process all.
    pub own: Range<I>,
    /// The other processes, if there are any.
    pub joint: Option<Joint<'a, I>>,
    /// What a forecast needs of the indices that are this process's.
    pub profile: SpaceProfile,
    /// All states there are, where that is known.
    pub total_states: Option<u128>,
    pub job: &'a Job,
    /// Charges what is written to the user's limit.
    pub disk: &'a Disk,
    /// Where run files go.
    pub run_dir: &'a Path,
    pub options: &'a Options,
    pub budget: &'a Budget,
    pub pool: ThreadPool,
    /// One for each thread of the pool.
    pub workers: Vec<Mutex<Worker<'a, I>>>,
    pub control: Control<'a>,
    pub progress: ProgressCounters,
    pub pull_pace: MeasuredPace,
    /// Numbers run files.
    pub serial: AtomicU64,
}

impl<'a, I: Index> JobContext<'a, I> {
    /// Whether the user wants to stop, and no other process has to be asked about it.
    pub fn stops_alone(&self) -> bool {
        self.joint.is_none() && self.control.stopped()
    }

    /// The exchange before a container.
    pub fn exchange<'c>(
        &'c self,
        joint: &'c Joint<'a, I>,
        container: &'c dyn Container<I>,
    ) -> Exchange<'c, I> {
        let entries = match container.buffer_entries() {
            // Beside a bitmap there is less memory.
            0 => self.budget.buffer_entries(size_of::<I>()) / 2,
            entries => entries,
        };
        Exchange::new(container, joint.peers, joint.owners, entries, &joint.traffic)
    }
}

impl<I> JobContext<'_, I> {
    /// What a container needs to gather the candidates of one level.
    pub fn for_container<'c>(&'c self, set_header: &'c SetHeader) -> ContainerContext<'c> {
        ContainerContext {
            disk: self.disk,
            run_dir: self.run_dir,
            set_header,
            budget: self.budget,
            serial: &self.serial,
            pool: &self.pool,
            control: self.control,
        }
    }

    /// What the disks have left for the job.
    pub fn disk_room(&self) -> DiskRoom {
        let limit = self.disk.limit();
        DiskRoom {
            job: free_disk(self.job.dir()),
            runs: self.free_on_run_disk(),
            limit: limit.map(|limit| limit.saturating_sub(self.disk.used())),
        }
    }

    /// Bytes that are free where runs go, if that is another disk than the job's.
    fn free_on_run_disk(&self) -> Option<u64> {
        use std::os::unix::fs::MetadataExt;
        let device = |dir: &Path| std::fs::metadata(dir).map(|m| m.dev()).ok();
        // The folder itself may not exist yet.
        let dir = self.run_dir.ancestors().find(|dir| dir.is_dir())?;
        (device(dir)? != device(self.job.dir())?).then(|| free_disk(dir))
    }
}

/// Bytes that are free on the disk of `dir`; unlimited if the system does not report it.
fn free_disk(dir: &Path) -> u64 {
    rustix::fs::statvfs(dir).map_or(u64::MAX, |fs| fs.f_bavail.saturating_mul(fs.f_frsize))
}
