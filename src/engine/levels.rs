//! The loop over levels, until there is no further one.

use std::time::Instant;

use super::check_bound;
use super::context::{JobContext, Joint};
use super::earlier::EarlierLevels;
use super::level::{LevelComputation, Reusable};
use super::manifest::LevelRecord;
use super::manifest_store::ManifestStore;
use crate::error::{Error, Result};
use crate::space::Index;

/// How an enumeration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There is no further level.
    Finished,
    /// The level that the user named is reached.
    AtMaxLevel,
}

impl<I> JobContext<'_, I> {
    /// The error of an enumeration that the user stopped.
    pub fn interrupted(&self, level: u32, saved: bool) -> Error {
        self.job.interrupted(level, saved)
    }

    /// Fails if the user wants to stop, and nothing is lost of the level by that.
    pub fn go_on(&self, level: u32) -> Result<()> {
        self.control.go_on(|| self.interrupted(level, true))
    }
}

/// Computes levels until there is no further level, or as far as the options let it. `roots` are those of
/// the space, if they are known already.
pub(super) fn run<'a, I: Index>(
    context: &JobContext<'a, I>,
    store: &mut ManifestStore<'a>,
    roots: Option<Vec<I>>,
) -> Result<End> {
    let end = each_level(context, store, roots);
    if context.joint.is_some() && end.is_err() {
        // What is computed was stored together with the others, or cannot be stored without them.
        return end.map_err(|error| error.in_job(context.job.dir()));
    }
    // Whatever happened: nothing half-written stays, and what is computed is kept. Swept first,
    // because the disk may be full, and again when the manifest names less.
    let sweep = |store: &ManifestStore<'a>| store.sweep(context.run_dir, || Ok(()));
    let kept = sweep(store).and_then(|()| store.commit()).and_then(|()| sweep(store));
    if end.is_ok() && kept.is_ok() {
        archive(context, store)?;
    }
    // What is safe is known only now.
    match (end, kept) {
        (Ok(end), kept) => kept.map(|()| end),
        (Err(Error::Limit(mut limit)), _) => {
            limit.saved = Some(store.saved());
            Err(Error::Limit(limit))
        }
        // A stop promises that all levels before are safe, and they are not.
        (Err(Error::Interrupted(_)), Err(unstored)) => Err(unstored),
        (Err(error), _) => Err(error.in_job(context.job.dir())),
    }
}

/// Moves finished level sets elsewhere, if the user wants that.
fn archive<I>(context: &JobContext<'_, I>, store: &ManifestStore<'_>) -> Result<()> {
    let archive = context.options.archive.as_deref();
    archive.map_or(Ok(()), |archive| store.archive(archive, context.control))
}

fn each_level<'a, I: Index>(
    context: &JobContext<'a, I>,
    store: &mut ManifestStore<'a>,
    mut roots: Option<Vec<I>>,
) -> Result<End> {
    let mut kept = Reusable::default();
    let mut earlier = EarlierLevels::within(context.budget.earlier_bytes());
    loop {
        let next = store.manifest().levels.len() as u32;
        if store.manifest().finished {
            return Ok(End::Finished);
        }
        if context.options.max_level.is_some_and(|max| next > max) {
            return Ok(End::AtMaxLevel);
        }
        if context.joint.is_none() {
            context.go_on(next)?;
        }
        let level = LevelComputation::begin(context, store, next)?;
        let record = match next {
            0 => level.given(roots.take().unwrap_or_else(|| context.space.roots()))?,
            _ => level.compute(&mut kept, &mut earlier)?,
        };
        if let (Some(record), Some(joint)) = (&record, &context.joint) {
            if joint_level(context, joint, store, record.clone())? {
                store.commit()?;
                context.progress.stored();
                return Err(context.interrupted(next + 1, true));
            }
        } else if let Some(record) = record {
            context.control.observer.computed(&record);
            store.add(record);
            check_bound(context.job, context.profile.total_classes, store.manifest())?;
        }
        if context.joint.is_none() && Instant::now() >= store.due() {
            store.commit()?;
            context.progress.stored();
            archive(context, store)?;
        }
    }
}

/// All processes have computed their share of a level, `record`: there is such a level if any of them has classes in it.
/// Stores it if that is due; returns whether to stop.
fn joint_level<'a, I: Index>(
    context: &JobContext<'a, I>,
    joint: &Joint<'a, I>,
    store: &mut ManifestStore<'a>,
    record: LevelRecord,
) -> Result<bool> {
    let is_due = Instant::now() >= store.due();
    let stop = context.control.stopped();
    let (level, is_due, stop) = joint.peers.agree_on_level(&record, is_due, stop)?;
    if level.classes == 0 {
        store.discard(vec![context.job.level_path(record.level)]);
        store.finish(level.millis);
        return Ok(false);
    }
    context.control.observer.computed(&level);
    store.add(record);
    store.add_joint(level);
    check_bound(context.job, context.profile.total_classes, store.manifest())?;
    if is_due && !stop {
        store.commit()?;
        context.progress.stored();
    }
    Ok(stop)
}
