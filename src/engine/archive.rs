//! Level sets of finished levels on another disk.
//!
//! What the walk needs next are the last two levels; those before can live elsewhere. A level set that is archived is
//! copied, and its place in the job taken by a symbolic link, in one rename: every reader opens it as before, and
//! wherever a process is killed there is either the file or the link. Links that lead into the job's own folder of an
//! archive are removed together with what they lead to; any other link is the user's.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::job::Job;
use super::manifest::Manifest;
use super::progress::Control;
use crate::error::{Error, IoAction, Result};
use crate::store::disk::{self, Disk};

/// Bytes that are copied between two looks at the stop flag.
const PIECE: usize = 4 << 20;

/// Moves the level sets that the walk does not need next to the folder `archive`, as far as the manifest has them.
/// A stop leaves the rest for the next time.
pub(super) fn move_finished(
    job: &Job,
    manifest: &Manifest,
    disk: &Disk,
    archive: &Path,
    control: Control<'_>,
) -> Result<()> {
    let folder = job.folder_in(archive)?;
    // Of a finished job, all of them can go.
    let needed = if manifest.finished { 0 } else { 2 };
    let last = manifest.levels.len().saturating_sub(needed) as u32;
    for level in manifest.kept_from..last {
        let path = job.level_path(level);
        let found = fs::symlink_metadata(&path).map_err(|e| Error::io(IoAction::LookFor, &path, e))?;
        if !found.is_file() {
            continue;
        }
        disk.create_dir(&folder)?;
        let target = folder.join(path.file_name().unwrap_or_default());
        if !copy(&path, &target, control)? {
            return Ok(());
        }
        link(&path, &target)?;
        disk.give_back(found.len());
        disk.sync_dir(&job.path("levels"))?;
    }
    Ok(())
}

/// Copies a file, durably; `false` if the user wants to stop.
fn copy(from: &Path, to: &Path, control: Control<'_>) -> Result<bool> {
    let part = to.with_extension("part");
    let failed = |action: IoAction, path: &Path| {
        let path = path.to_owned();
        move |e| Error::io(action, &path, e)
    };
    let mut source = disk::open(from).map_err(failed(IoAction::Open, from))?;
    let mut target = fs::File::create(&part).map_err(failed(IoAction::Create, &part))?;
    let mut piece = vec![0; PIECE];
    loop {
        if control.stopped() {
            let _ = fs::remove_file(&part);
            return Ok(false);
        }
        let length = source.read(&mut piece).map_err(failed(IoAction::Read, from))?;
        if length == 0 {
            break;
        }
        if let Err(e) = target.write_all(&piece[..length]) {
            let _ = fs::remove_file(&part);
            return Err(Error::io(IoAction::WriteTo, &part, e));
        }
    }
    target.sync_all().map_err(failed(IoAction::Sync, &part))?;
    fs::rename(&part, to).map_err(failed(IoAction::RenameTo, to))?;
    let folder = to.parent().unwrap_or(to);
    let synced = fs::File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(failed(IoAction::Sync, folder))?;
    Ok(true)
}

/// Replaces a file by a link to its copy, in one step.
fn link(path: &Path, target: &Path) -> Result<()> {
    let aside = path.with_extension("gls.part");
    let _ = fs::remove_file(&aside);
    std::os::unix::fs::symlink(target, &aside).map_err(|e| Error::io(IoAction::Create, &aside, e))?;
    fs::rename(&aside, path).map_err(|e| Error::io(IoAction::RenameTo, path, e))
}

/// Where a level set of a job is, if that is an archive of the job.
pub(super) fn archived(job: &Job, path: &Path) -> Option<PathBuf> {
    let target = fs::read_link(path).ok()?;
    target.parent().is_some_and(|folder| job.owns_folder(folder)).then_some(target)
}

/// Deletes a file of a job, and, if it is a link into an archive of the job, what it leads to.
pub(super) fn remove(job: &Job, disk: &Disk, path: &Path) -> Result<()> {
    if let Some(target) = archived(job, path) {
        match fs::remove_file(&target) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io(IoAction::Delete, &target, e));
            }
            _ => {}
        }
        // The last one takes the folder along.
        let _ = target.parent().map(fs::remove_dir);
    }
    disk.remove(path)
}
