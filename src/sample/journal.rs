//! The journal of a sample: rows in order, appended, synced now and then, and checked when read.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Item, Plan};
use crate::bfs::Control;
use crate::bfs::disk::{self, Disk, OutFile};
use crate::error::{Error, Result};
use crate::puzzle::{Move, State, split_names};

/// Rows are made durable this often.
const SYNC_EVERY: Duration = Duration::from_secs(3);
/// The names of the columns.
pub(super) const HEADING: &[&str] = &["instance", "state", "length", "optimal", "seconds", "moves"];

/// What is known of a solution, or of its lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It is proven to be a shortest one.
    Optimal,
    /// Nothing of that kind.
    None,
    /// The same, and the effort was spent before the solver was done: with more time, there might
    /// be more to tell.
    CutShort,
}

impl Proof {
    const ALL: [Proof; 3] = [Proof::Optimal, Proof::None, Proof::CutShort];

    fn word(self) -> &'static str {
        match self {
            Proof::Optimal => "yes",
            Proof::None => "no",
            Proof::CutShort => "time",
        }
    }
}

/// One instance that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number, from 1 on.
    pub instance: u64,
    /// The state, or the puzzle where puzzles are random.
    pub state: String,
    /// The number of moves, if there is a solution.
    pub length: Option<u32>,
    /// What is known of it.
    pub proof: Proof,
    /// How long it took.
    pub seconds: f64,
    /// The moves, with one name for each.
    pub moves: String,
}

impl Row {
    /// As cells of a table.
    pub fn cells(&self) -> Vec<String> {
        vec![
            self.instance.to_string(),
            self.state.clone(),
            self.length
                .map_or(String::new(), |length| length.to_string()),
            self.proof.word().into(),
            format!("{:.6}", self.seconds),
            self.moves.clone(),
        ]
    }

    /// Reads a row and holds it to the seed and to the rules; a failure says what does not fit.
    fn check(
        plan: &Plan<'_>,
        number: u64,
        cells: &csv::StringRecord,
    ) -> std::result::Result<Self, String> {
        let [instance, state, length, optimal, seconds, moves] =
            std::array::from_fn(|column| cells.get(column).unwrap_or_default());
        let mut row = Row {
            instance: number,
            state: state.into(),
            length: None,
            proof: Proof::ALL
                .into_iter()
                .find(|proof| proof.word() == optimal)
                .ok_or("`optimal` is neither yes nor no nor time")?,
            seconds: seconds
                .parse()
                .ok()
                .filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0)
                .ok_or("`seconds` is no time")?,
            moves: moves.into(),
        };
        if cells.len() != HEADING.len() || instance != number.to_string() {
            return Err("it is not the row that comes next".into());
        }
        let item = Item::new(plan, number).map_err(|error| error.to_string())?;
        if item.text != state {
            return Err("its state is not the one that the seed gives".into());
        }
        if length.is_empty() {
            return match moves.is_empty() && row.proof != Proof::Optimal {
                true => Ok(row),
                false => Err("it has no length".into()),
            };
        }
        let count: u32 = length.parse().map_err(|_| "`length` is no number")?;
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

/// The rows that are safe, and the file they are in.
pub(super) struct Journal<'d> {
    pub rows: Vec<Row>,
    file: OutFile<'d>,
    /// Results whose turn has not come.
    waiting: BTreeMap<u64, Row>,
    synced: Instant,
    /// Whether writing failed. The file may then end in the middle of a row, and nothing may follow.
    failed: bool,
}

impl<'d> Journal<'d> {
    /// Opens a journal or begins one. A row that was not written to its end is dropped; anything else
    /// that does not fit is damage.
    pub fn open(disk: &'d Disk, path: &Path, plan: &Plan<'_>) -> Result<Self> {
        let damaged = |what: String| {
            Error::damaged(
                path,
                what,
                "restore it from a copy, or start again with --fresh",
            )
        };
        let heading = line(HEADING);
        let bytes = match std::fs::read(path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            other => other.map_err(|e| Error::io("read", path, e))?,
        };
        // A process that was killed may have left the beginning of a line.
        let whole = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let mut rows = Vec::new();
        if whole == 0 && !heading.as_bytes().starts_with(&bytes) {
            return Err(damaged("it is not the journal of a sample".into()));
        }
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(&bytes[..whole]);
        for (number, record) in reader.records().enumerate() {
            let wrong = |what: String| damaged(format!("line {}: {what}", number + 1));
            let record = record.map_err(|e| wrong(e.to_string()))?;
            if number == 0 {
                if record != *HEADING {
                    return Err(wrong("this is not the heading of a sample".into()));
                }
                continue;
            }
            rows.push(Row::check(plan, number as u64, &record).map_err(wrong)?);
        }
        let file = match whole {
            0 => {
                let mut file = disk.create(path)?;
                file.write(heading.as_bytes())?;
                // Rows that are synced must have a name that is.
                disk.sync_dir(disk::parent(path))?;
                file
            }
            _ => disk.reopen(path, whole as u64)?,
        };
        Ok(Journal {
            rows,
            file,
            waiting: BTreeMap::new(),
            synced: Instant::now(),
            failed: false,
        })
    }

    /// Takes a result, and writes all rows whose turn has come.
    fn add(&mut self, row: Row) -> Result<()> {
        self.waiting.insert(row.instance, row);
        while let Some(row) = self.waiting.remove(&(self.rows.len() as u64 + 1)) {
            let cells = row.cells();
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            let written = self.file.write(line(&cells).as_bytes());
            written.inspect_err(|_| self.failed = true)?;
            self.rows.push(row);
        }
        match self.synced.elapsed() >= SYNC_EVERY {
            true => self.sync(),
            false => Ok(()),
        }
    }

    /// Makes all rows durable.
    pub fn sync(&mut self) -> Result<()> {
        if self.failed {
            // Whoever wrote has the error.
            return Ok(());
        }
        self.synced = Instant::now();
        self.file.sync().inspect_err(|_| self.failed = true)
    }

    /// The journal for many threads at once, until it has `total` rows.
    pub fn shared<'a>(&'a mut self, total: u64, control: Control<'a>) -> Shared<'a, 'd> {
        Shared {
            journal: Mutex::new(self),
            failed: AtomicBool::new(false),
            total,
            control,
        }
    }
}

/// No more rows than this are made ahead of one that takes long.
const AHEAD: u64 = 256;
/// So long they wait before they look again.
const PAUSE: Duration = Duration::from_millis(10);

/// A journal to which many threads add rows.
pub(super) struct Shared<'a, 'd> {
    journal: Mutex<&'a mut Journal<'d>>,
    /// Whether a row failed: what comes after it will not be written.
    failed: AtomicBool,
    total: u64,
    control: Control<'a>,
}

impl Shared<'_, '_> {
    /// Makes the row of an instance and adds it. While an earlier row takes very long, later ones wait
    /// for it after a while: they could not be written, and a kill would lose them.
    pub fn make(&self, number: u64, row: impl FnOnce() -> Result<Option<Row>>) -> Result<()> {
        while number > self.written() + AHEAD && !self.control.stopped() {
            if self.failed.load(Relaxed) {
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
        let added = row().and_then(|row| row.map_or(Ok(()), |row| self.add(row)));
        added.inspect_err(|_| self.failed.store(true, Relaxed))
    }

    fn written(&self) -> u64 {
        let journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.rows.len() as u64
    }

    fn add(&self, row: Row) -> Result<()> {
        let done = {
            let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
            journal.add(row)?;
            journal.rows.len() + journal.waiting.len()
        };
        let observer = self.control.observer;
        observer.counted("solving", done as u64, self.total);
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
