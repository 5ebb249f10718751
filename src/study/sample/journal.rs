//! The journal of a sample: rows in order, appended now and then, and checked when read.
//!
//! Moves can be replayed, but a row does not show whether its solution was proven to be a
//! shortest one, or how long it took. So every byte has a checksum, in `sample.json`: rows that are
//! about to be appended are stored there first. Wherever a process is killed, no row is then without
//! a checksum.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{ABOUT, ROWS, SampleHeader, SampleInstance, SamplePlan};
use crate::engine::Control;
use crate::error::{Error, IoAction, Repair, Result};
use crate::puzzle::{Move, State, split_names};
use crate::store::disk::{self, Disk, OutFile};
use crate::store::sealed;
use crate::store::sealed::hex;

/// Rows are made durable this often ...
const SYNC_EVERY: Duration = Duration::from_secs(3);
/// ... or when they are this many bytes: all of them go through `sample.json`, which must stay small.
const SYNC_BYTES: usize = 4 << 20;
/// The names of the columns of a sample.
pub const HEADING: &[&str] = &["instance", "state", "length", "optimal", "seconds", "moves"];

/// What is known of a solution, or of its lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimality {
    /// It is proven to be a shortest one.
    Optimal,
    /// Nothing of that kind.
    None,
    /// The same, and the effort was spent before the solver was done: with more time, there might
    /// be more to tell.
    CutShort,
}

impl Optimality {
    const ALL: [Optimality; 3] = [Optimality::Optimal, Optimality::None, Optimality::CutShort];

    fn word(self) -> &'static str {
        match self {
            Optimality::Optimal => "yes",
            Optimality::None => "no",
            Optimality::CutShort => "time",
        }
    }
}

/// One instance that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleRow {
    /// Its number, from 1 on.
    pub instance: u64,
    /// The state, or the puzzle where puzzles are random.
    pub state: String,
    /// The number of moves, if there is a solution.
    pub length: Option<u32>,
    /// What is known of it.
    pub proof: Optimality,
    /// How long it took.
    pub seconds: f64,
    /// The moves, with one name for each.
    pub moves: String,
}

impl SampleRow {
    /// As cells of a table.
    pub fn cells(&self) -> Vec<String> {
        vec![
            self.instance.to_string(),
            self.state.clone(),
            self.length.map_or(String::new(), |length| length.to_string()),
            self.proof.word().into(),
            format!("{:.6}", self.seconds),
            self.moves.clone(),
        ]
    }

    /// Reads a row and checks it against the seed and the rules; a failure says what does not fit.
    fn check(
        plan: &SamplePlan<'_>,
        number: u64,
        cells: &csv::StringRecord,
    ) -> std::result::Result<Self, String> {
        let [instance, state, length, optimal, seconds, moves] =
            std::array::from_fn(|column| cells.get(column).unwrap_or_default());
        let mut row = SampleRow {
            instance: number,
            state: state.into(),
            length: None,
            proof: Optimality::ALL
                .into_iter()
                .find(|proof| proof.word() == optimal)
                .ok_or("`optimal` is neither yes nor no nor time")?,
            seconds: seconds
                .parse()
                .ok()
                .filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0)
                .ok_or("`seconds` is not a duration")?,
            moves: moves.into(),
        };
        if cells.len() != HEADING.len() || instance != number.to_string() {
            return Err("it is not the next row".into());
        }
        let item = SampleInstance::new(plan, number).map_err(|error| error.to_string())?;
        if item.text != state {
            return Err("its state is not the one that the seed gives".into());
        }
        if length.is_empty() {
            return match moves.is_empty() && row.proof != Optimality::Optimal {
                true => Ok(row),
                false => Err("it has no length".into()),
            };
        }
        let count: u32 = length.parse().map_err(|_| "`length` is not a number")?;
        let names = split_names(moves, count as usize);
        let puzzle = item.puzzle(plan);
        let moves = puzzle
            .read_moves(&item.text, &item.state, &names)
            .map_err(|error| format!("its moves are not legal ({error})"))?;
        let after = |state: State, &mv: &Move| puzzle.apply(&state, mv);
        let state = moves.iter().fold(item.state.clone(), after);
        if names.len() != count as usize || !puzzle.is_solved(&state) {
            return Err("its moves are not a solution of this length".into());
        }
        row.length = Some(count);
        Ok(row)
    }
}

/// What `sample.json` says about the journal. It is stored before rows are appended: a process that
/// is killed in between has left all that is missing here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JournalSeal {
    /// This many bytes of the journal ...
    pub bytes: u64,
    /// ... have this checksum ...
    #[serde(with = "hex")]
    pub checksum: u64,
    /// ... and are followed by these, or as many of them as were written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
}

impl Default for JournalSeal {
    /// The seal of a journal that has not begun.
    fn default() -> Self {
        JournalSeal { bytes: 0, checksum: xxh3_64(&[]), tail: String::new() }
    }
}

/// A journal that has been read and checked.
pub(super) struct CheckedJournal {
    pub rows: Vec<SampleRow>,
    /// The whole of it, together with what the seal adds.
    text: Vec<u8>,
    /// This much of that is in the file.
    written: usize,
    /// This much is durable. What follows it may be readable now and still be lost: an earlier process may
    /// have failed to sync it.
    durable: usize,
}

impl CheckedJournal {
    /// Reads a journal and checks it: against its seal, and every row against the seed and the rules.
    /// Without a seal, as older versions left it, a row that was not written to its end is dropped.
    pub fn read(path: &Path, seal: Option<&JournalSeal>, plan: &SamplePlan<'_>) -> Result<Self> {
        let damaged = |what: String| Error::damaged(path, what, Repair::Restore);
        let most = seal.map_or(u64::MAX, |seal| seal.bytes.saturating_add(seal.tail.len() as u64));
        let bytes = match disk::read(path, most) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            other => other
                .map_err(|e| Error::io(IoAction::Read, path, e))?
                .ok_or_else(|| damaged("it is longer than sample.json says".into()))?,
        };
        let (text, written, durable) = match seal {
            Some(seal) => {
                let Some((safe, rest)) = bytes.split_at_checked(seal.bytes as usize) else {
                    return Err(damaged(format!("{} bytes are left of {}", bytes.len(), seal.bytes)));
                };
                if xxh3_64(safe) != seal.checksum {
                    let what = match rows(safe, plan) {
                        Err(what) => what,
                        Ok(_) => "its rows do not match the checksum in sample.json".into(),
                    };
                    return Err(damaged(what));
                }
                // Without power, the end of what was being written may have come out as anything.
                let tail = seal.tail.as_bytes();
                let same = rest.iter().zip(tail).take_while(|(a, b)| a == b);
                ([safe, tail].concat(), safe.len() + same.count(), safe.len())
            }
            None => {
                // A process that was killed may have left the beginning of a line.
                let end = bytes.iter().rposition(|&byte| byte == b'\n');
                let whole = end.map_or(0, |at| at + 1);
                if whole == 0 && !line(HEADING).as_bytes().starts_with(&bytes) {
                    return Err(damaged("it is not the journal of a sample".into()));
                }
                (bytes[..whole].to_vec(), whole, whole)
            }
        };
        Ok(CheckedJournal { rows: rows(&text, plan).map_err(damaged)?, text, written, durable })
    }

    /// Bytes that are in the seal only.
    pub fn unwritten(&self) -> usize {
        self.text.len() - self.written
    }
}

/// The rows of a journal; a failure says which line does not fit, and why.
fn rows(text: &[u8], plan: &SamplePlan<'_>) -> std::result::Result<Vec<SampleRow>, String> {
    let mut rows = Vec::new();
    each_row(text, |number, record| {
        rows.push(SampleRow::check(plan, number, record)?);
        Ok(())
    })?;
    Ok(rows)
}

/// Visits the rows of a journal, from 1 on; a failure says which line does not fit, and why.
pub(super) fn each_row(
    text: &[u8],
    mut visit: impl FnMut(u64, &csv::StringRecord) -> std::result::Result<(), String>,
) -> std::result::Result<(), String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    for (number, record) in reader.records().enumerate() {
        let wrong = |what: String| format!("line {}: {what}", number + 1);
        let record = record.map_err(|e| wrong(e.to_string()))?;
        if number > 0 {
            visit(number as u64, &record).map_err(wrong)?;
        } else if record != *HEADING {
            return Err(wrong("this is not the heading of a sample".into()));
        }
    }
    Ok(())
}

/// The rows that are safe, and the file they are in.
pub(super) struct Journal<'d> {
    pub rows: Vec<SampleRow>,
    disk: &'d Disk,
    file: OutFile<'d>,
    /// What the seal is stored with, and where.
    about: SampleHeader,
    path: PathBuf,
    /// How much is written, and its checksum.
    bytes: u64,
    sum: Xxh3,
    /// Rows that are not written yet.
    pending: String,
    /// Results whose turn has not come.
    waiting: BTreeMap<u64, SampleRow>,
    synced: Instant,
    /// Whether writing failed. The file may then end in the middle of a row, and nothing may follow.
    failed: bool,
}

impl<'d> Journal<'d> {
    /// Opens the journal of a sample or begins one.
    pub fn open(disk: &'d Disk, dir: &Path, about: SampleHeader, plan: &SamplePlan<'_>) -> Result<Self> {
        let path = dir.join(ROWS);
        let found = CheckedJournal::read(&path, about.journal.as_ref(), plan)?;
        let mut file = match found.durable {
            0 => disk.create(&path)?,
            durable => disk.reopen(&path, durable as u64)?,
        };
        file.write(&found.text[found.durable..])?;
        let mut sum = Xxh3::new();
        sum.update(&found.text);
        Ok(Journal {
            pending: if found.text.is_empty() { line(HEADING) } else { String::new() },
            rows: found.rows,
            disk,
            file,
            about,
            path: dir.join(ABOUT),
            bytes: found.text.len() as u64,
            sum,
            waiting: BTreeMap::new(),
            synced: Instant::now(),
            failed: false,
        })
    }

    /// Takes a result, and all rows whose turn has come.
    fn add(&mut self, row: SampleRow) -> Result<()> {
        self.waiting.insert(row.instance, row);
        while let Some(row) = self.waiting.remove(&(self.rows.len() as u64 + 1)) {
            let cells = row.cells();
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            self.pending += &line(&cells);
            self.rows.push(row);
        }
        match self.synced.elapsed() >= SYNC_EVERY || self.pending.len() >= SYNC_BYTES {
            true => self.sync(),
            false => Ok(()),
        }
    }

    /// Makes all rows durable.
    pub fn sync(&mut self) -> Result<()> {
        if self.failed {
            // The writer has the error.
            return Ok(());
        }
        self.synced = Instant::now();
        self.write().inspect_err(|_| self.failed = true)
    }

    fn write(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return self.file.sync();
        }
        // What the seal vouches for must be there first.
        self.file.sync()?;
        let tail = std::mem::take(&mut self.pending);
        self.seal(tail.clone())?;
        self.file.write(tail.as_bytes())?;
        self.bytes += tail.len() as u64;
        self.sum.update(tail.as_bytes());
        self.file.sync()
    }

    fn seal(&mut self, tail: String) -> Result<()> {
        let seal = Some(JournalSeal { bytes: self.bytes, checksum: self.sum.digest(), tail });
        if self.about.journal != seal {
            self.about.journal = seal;
            let (bytes, _) = sealed::seal(&self.about)?;
            self.disk.replace(&self.path, &bytes)?;
        }
        Ok(())
    }

    /// Makes all rows durable and vouches for them.
    pub fn close(&mut self) -> Result<()> {
        self.sync()?;
        if self.failed { Ok(()) } else { self.seal(String::new()) }
    }

    /// The journal for many threads at once, until it has `total` rows.
    pub fn shared<'a>(&'a mut self, total: u64, control: Control<'a>) -> SharedJournal<'a, 'd> {
        SharedJournal { journal: Mutex::new(self), failed: AtomicBool::new(false), total, control }
    }
}

/// No more rows than this are made ahead of one that takes long.
const AHEAD: u64 = 256;
/// How long they wait before they look again.
const PAUSE: Duration = Duration::from_millis(10);

/// A journal to which many threads add rows.
pub(super) struct SharedJournal<'a, 'd> {
    journal: Mutex<&'a mut Journal<'d>>,
    /// Whether a row failed: what comes after it will not be written.
    failed: AtomicBool,
    total: u64,
    control: Control<'a>,
}

impl<'a, 'd> SharedJournal<'a, 'd> {
    /// Makes the row of an instance and adds it. While an earlier row takes very long, later ones wait
    /// for it after a while: they could not be written, and a kill would lose them.
    pub fn make(&self, number: u64, row: impl FnOnce() -> Result<Option<SampleRow>>) -> Result<()> {
        while number > self.journal().rows.len() as u64 + AHEAD && !self.control.stopped() {
            if self.failed.load(Relaxed) {
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
        let added = row().and_then(|row| row.map_or(Ok(()), |row| self.add(row)));
        added.inspect_err(|_| self.failed.store(true, Relaxed))
    }

    fn journal(&self) -> MutexGuard<'_, &'a mut Journal<'d>> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, row: SampleRow) -> Result<()> {
        let mut journal = self.journal();
        journal.add(row)?;
        let done = journal.rows.len() + journal.waiting.len();
        drop(journal);
        self.control.observer.counted("solving", done as u64, self.total);
        Ok(())
    }
}

/// Cells as one line of CSV.
fn line(cells: &[&str]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(cells);
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
