//! Files that fail: a stand-in for the system that strikes at one chosen call, and that knows what a
//! power failure would leave.
//!
//! Everything is done on the real file system, so that the program under test can read it. Beside
//! that stands a model of what is durable: what each file held at its last sync, and the names that
//! each directory had at its last sync. It outlives the processes that work on the files: what one
//! did not sync, the next one finds, and it is still not durable. After a power failure the tree is laid
//! anew out of the model.
//!
//! Errors are reported as Linux does it. What could not be written is lost: a later sync succeeds
//! and does not bring it back. Each descriptor that was open then reports that once, at its next sync.
//! One that is opened later reports it only if none has done so before.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use godnum::random::Random;
use godnum::store::files::{Directory, Files, Output, System};

/// What goes wrong at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process is gone before it.
    Kill,
    /// The process is gone in the middle of a write.
    KillMidway,
    /// Half of a write is done, and the system says so.
    Short,
    /// The disk is full from here on, in the middle of a write.
    Full,
    /// This call fails, and the later ones do not. Half of a write is done; what a sync should
    /// have made durable never will be, but can be read until the power fails.
    Broken,
    /// The same, and after the process has ended, the power fails.
    BrokenThenLoss,
    /// The disk was full for a moment: whatever was not synced is lost, and the sync of another
    /// process has collected the error. The call itself succeeds.
    Stolen,
    /// The same, and after the process has ended, the power fails.
    StolenThenLoss,
    /// The power fails: whatever was not synced vanishes.
    PowerLoss,
    /// The power fails, and of what was not synced some is there, some is not, and some is torn.
    PartialLoss(u64),
}

/// The calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    CreateDir,
    Create,
    Reopen,
    Write,
    OpenDir,
    Sync,
    SyncDisk,
    Check,
    Rename,
    Remove,
    RemoveDir,
}

impl Fault {
    /// Whether the fault is something that can happen to this call.
    pub fn fits(self, call: Call) -> bool {
        match self {
            Fault::KillMidway | Fault::Short => call == Call::Write,
            Fault::Full => matches!(call, Call::CreateDir | Call::Create | Call::Write),
            _ => true,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Dir(u64),
    File(u64),
}

/// The errors of writing one thing.
#[derive(Clone, Copy, Debug, Default)]
struct Errors {
    count: u64,
    /// Whether some descriptor has reported the last one.
    seen: bool,
}

impl Errors {
    fn add(&mut self) {
        *self = Errors { count: self.count + 1, seen: false };
    }

    /// What a descriptor that is opened now has heard of.
    fn sample(&self) -> u64 {
        self.count - u64::from(self.count > 0 && !self.seen)
    }

    /// Reports an error to a descriptor that has not heard of it.
    fn report(&mut self, heard: &mut u64) -> io::Result<()> {
        if *heard == self.count {
            return Ok(());
        }
        *heard = self.count;
        self.seen = true;
        Err(broken())
    }
}

/// What is left of a file's content without power.
#[derive(Clone, Debug, Default)]
struct Content {
    durable: Vec<u8>,
    /// What follows this many bytes waits to be written.
    clean: usize,
    errors: Errors,
}

#[derive(Debug, Default)]
struct State {
    strike: Option<(usize, Fault)>,
    struck: bool,
    calls: Vec<Call>,
    dead: bool,
    full: bool,
    nodes: u64,
    now: BTreeMap<PathBuf, Node>,
    durable: BTreeMap<PathBuf, Node>,
    contents: HashMap<u64, Content>,
    /// Names that were changed and wait to be written.
    changed: BTreeSet<PathBuf>,
    dir_errors: HashMap<u64, Errors>,
    disk_errors: Errors,
}

/// How a call goes.
enum Course {
    Whole,
    /// Half of it is done; then this is the answer, or success if there is none.
    Half(Option<io::Error>),
}

impl State {
    /// Counts a call and decides how it goes.
    fn call(&mut self, call: Call) -> io::Result<Course> {
        if self.dead {
            return Err(gone());
        }
        self.calls.push(call);
        let strikes = self.strike.filter(|&(at, _)| at + 1 == self.calls.len());
        if let Some((_, fault)) = strikes.filter(|(_, fault)| fault.fits(call)) {
            self.struck = true;
            match fault {
                Fault::Short => return Ok(Course::Half(None)),
                Fault::Stolen | Fault::StolenThenLoss => {
                    for (path, id) in self.files_now() {
                        self.lose(id, length(&path)).seen = true;
                    }
                    self.disk_errors.add();
                    self.disk_errors.seen = true;
                }
                Fault::Broken | Fault::BrokenThenLoss if call == Call::Write => {
                    return Ok(Course::Half(Some(broken())));
                }
                Fault::Broken | Fault::BrokenThenLoss => return Err(broken()),
                Fault::Full => self.full = true,
                Fault::KillMidway => {
                    self.dead = true;
                    return Ok(Course::Half(Some(gone())));
                }
                Fault::Kill | Fault::PowerLoss | Fault::PartialLoss(_) => {
                    self.dead = true;
                    return Err(gone());
                }
            }
        }
        match self.full && Fault::Full.fits(call) {
            true if call == Call::Write => Ok(Course::Half(Some(no_space()))),
            true => Err(no_space()),
            false => Ok(Course::Whole),
        }
    }

    fn new_file(&mut self, path: &Path, durable: Vec<u8>) -> u64 {
        self.nodes += 1;
        let clean = durable.len();
        let content = Content { durable, clean, errors: Errors::default() };
        self.contents.insert(self.nodes, content);
        self.name(path, Some(Node::File(self.nodes)));
        self.nodes
    }

    fn new_dir(&mut self, path: &Path) {
        self.nodes += 1;
        self.dir_errors.insert(self.nodes, Errors::default());
        self.name(path, Some(Node::Dir(self.nodes)));
    }

    /// A name leads to something else, or to nothing.
    fn name(&mut self, path: &Path, node: Option<Node>) {
        match node {
            Some(node) => self.now.insert(path.to_owned(), node),
            None => self.now.remove(path),
        };
        self.changed.insert(path.to_owned());
    }

    fn id(&self, path: &Path) -> u64 {
        match self.now.get(path) {
            Some(&Node::File(id)) => id,
            other => panic!("{} is {other:?}, not a file", path.display()),
        }
    }

    fn content(&mut self, id: u64) -> &mut Content {
        self.contents.get_mut(&id).unwrap()
    }

    /// What waits to be written of a file is lost, if there is something.
    fn lose(&mut self, id: u64, length: usize) -> &mut Errors {
        let content = self.content(id);
        if content.clean < length {
            content.clean = length;
            content.errors.add();
        }
        &mut content.errors
    }

    /// The content of a file is durable now, except what was lost.
    fn keep(&mut self, id: u64, bytes: &[u8]) {
        let content = self.content(id);
        content.durable.resize(bytes.len(), 0);
        let clean = content.clean.min(bytes.len());
        content.durable[clean..].copy_from_slice(&bytes[clean..]);
        content.clean = bytes.len();
    }

    /// The names that were changed in a directory are durable now, or lost.
    fn write_names(&mut self, dir: &Path, kept: bool) {
        let (here, others) =
            std::mem::take(&mut self.changed).into_iter().partition(|path| path.parent() == Some(dir));
        self.changed = others;
        let here: BTreeSet<PathBuf> = here;
        for path in here.into_iter().filter(|_| kept) {
            match self.now.get(&path) {
                Some(&node) => self.durable.insert(path, node),
                None => self.durable.remove(&path),
            };
        }
    }

    fn files_now(&self) -> Vec<(PathBuf, u64)> {
        let file = |(path, node): (&PathBuf, &Node)| match node {
            Node::File(id) => Some((path.clone(), *id)),
            Node::Dir(_) => None,
        };
        self.now.iter().filter_map(file).collect()
    }
}

fn length(path: &Path) -> usize {
    fs::metadata(path).map_or(0, |found| found.len() as usize)
}

/// Whether an error means that a sync failed, and not that the process is gone.
fn is_broken(error: &io::Error) -> bool {
    error.raw_os_error() == broken().raw_os_error()
}

fn gone() -> io::Error {
    io::Error::other("the process is gone")
}

fn broken() -> io::Error {
    io::Error::from_raw_os_error(5)
}

fn no_space() -> io::Error {
    io::Error::from_raw_os_error(28)
}

/// The files below one directory, which fail as they are told to.
#[derive(Clone, Debug)]
pub struct FaultyFs {
    root: PathBuf,
    state: Arc<Mutex<State>>,
}

impl FaultyFs {
    /// Everything that is below `root` is durable.
    pub fn new(root: &Path) -> Self {
        let files = FaultyFs { root: root.to_owned(), state: Arc::default() };
        files.adopt_all(&mut files.state());
        files
    }

    /// Another process begins. The fault strikes at the call of this number, counted from 0.
    pub fn begin(&self, strike: Option<(usize, Fault)>) {
        let mut state = self.state();
        (state.strike, state.struck, state.dead, state.full) = (strike, false, false, false);
        state.calls.clear();
    }

    fn adopt_all(&self, state: &mut State) {
        *state = State { strike: state.strike, struck: state.struck, ..State::default() };
        state.calls = Vec::new();
        state.new_dir(&self.root);
        adopt(state, &self.root);
        state.durable = state.now.clone();
        state.changed.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// The calls so far.
    pub fn calls(&self) -> Vec<Call> {
        self.state().calls.clone()
    }

    /// Whether the fault has struck.
    pub fn struck(&self) -> bool {
        self.state().struck
    }

    /// Does to the tree what the fault's power failure does, if it has one.
    pub fn aftermath(&self) {
        let strike = self.state().strike;
        match strike {
            Some((_, Fault::PowerLoss | Fault::BrokenThenLoss | Fault::StolenThenLoss)) => {
                self.lose_power(None);
            }
            Some((_, Fault::PartialLoss(seed))) => self.lose_power(Some(Random::new(seed))),
            _ => {}
        }
    }

    /// The power fails: what is durable is left, and what chance adds.
    pub fn lose_power(&self, chance: Option<Random>) {
        let mut state = self.state();
        self.lay(&state, chance);
        self.adopt_all(&mut state);
    }

    /// Lays the tree anew: what is durable, and what chance adds.
    fn lay(&self, state: &State, mut chance: Option<Random>) {
        let mut contents: HashMap<u64, Vec<u8>> = HashMap::new();
        for (&id, content) in &state.contents {
            contents.insert(id, content.durable.clone());
        }
        let mut nodes = state.durable.clone();
        if let Some(random) = &mut chance {
            for (path, id) in state.files_now() {
                // What the test itself deletes is of no interest.
                let Ok(current) = fs::read(&path) else {
                    continue;
                };
                match random.below(3) {
                    0 => {}
                    1 => drop(contents.insert(id, current)),
                    // The length is there, and the end of the content is not.
                    _ => {
                        let mut torn = current;
                        let whole = random.place(torn.len() + 1);
                        let old = &state.contents[&id].durable;
                        for (at, byte) in torn.iter_mut().enumerate().skip(whole) {
                            *byte = old.get(at).copied().unwrap_or(0);
                        }
                        contents.insert(id, torn);
                    }
                }
            }
            // Each name is as it was, or as it is.
            let mut names: BTreeSet<_> = nodes.keys().chain(state.now.keys()).cloned().collect();
            names.remove(&self.root);
            for path in names {
                if random.below(2) == 1 {
                    match state.now.get(&path) {
                        Some(&node) => nodes.insert(path, node),
                        None => nodes.remove(&path),
                    };
                }
            }
        }
        for entry in fs::read_dir(&self.root).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => fs::remove_dir_all(path).unwrap(),
                false => fs::remove_file(path).unwrap(),
            }
        }
        // Ascending, so that a directory comes before what is in it.
        for (path, node) in nodes {
            if path != self.root && path.parent().is_some_and(Path::is_dir) {
                match node {
                    Node::Dir(_) => fs::create_dir(path).unwrap(),
                    Node::File(id) => fs::write(path, &contents[&id]).unwrap(),
                }
            }
        }
    }
}

/// Takes note of everything below a directory.
fn adopt(state: &mut State, dir: &Path) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            state.new_dir(&path);
            adopt(state, &path);
        } else {
            state.new_file(&path, fs::read(&path).unwrap());
        }
    }
}

/// A call that is done whole or not at all.
fn all(course: Course) -> io::Result<()> {
    match course {
        Course::Whole => Ok(()),
        Course::Half(error) => Err(error.unwrap_or_else(broken)),
    }
}

impl Files for FaultyFs {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        all(state.call(Call::CreateDir)?)?;
        fs::create_dir(path)?;
        state.new_dir(path);
        Ok(())
    }

    fn open_dir(&self, path: &Path) -> io::Result<Box<dyn Directory>> {
        if !path.starts_with(&self.root) {
            return System.open_dir(path);
        }
        let mut state = self.state();
        all(state.call(Call::OpenDir)?)?;
        fs::read_dir(path)?;
        let Some(&Node::Dir(id)) = state.now.get(path) else {
            panic!("{} is not a directory that the model knows", path.display());
        };
        let heard = Mutex::new((state.dir_errors[&id].sample(), state.disk_errors.sample()));
        Ok(Box::new(FaultyFsDir { files: self.clone(), path: path.to_owned(), id, heard }))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        let mut state = self.state();
        all(state.call(Call::Create)?)?;
        let mut options = File::options();
        let file = options.read(true).write(true).create_new(true).open(path)?;
        let id = state.new_file(path, Vec::new());
        let files = self.clone();
        Ok(Box::new(FaultyFsFile { files, file, id, heard: 0 }))
    }

    fn reopen(&self, path: &Path, length: u64) -> io::Result<Box<dyn Output>> {
        let mut state = self.state();
        all(state.call(Call::Reopen)?)?;
        let mut file = File::options().read(true).write(true).open(path)?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        let id = state.id(path);
        let content = state.content(id);
        content.clean = content.clean.min(length as usize);
        let (files, heard) = (self.clone(), content.errors.sample());
        Ok(Box::new(FaultyFsFile { files, file, id, heard }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        all(state.call(Call::Rename)?)?;
        fs::rename(from, to)?;
        let node = state.now[from];
        state.name(from, None);
        state.name(to, Some(node));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        all(state.call(Call::Remove)?)?;
        fs::remove_file(path)?;
        state.name(path, None);
        Ok(())
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        all(state.call(Call::RemoveDir)?)?;
        fs::remove_dir(path)?;
        state.name(path, None);
        Ok(())
    }
}

#[derive(Debug)]
struct FaultyFsDir {
    files: FaultyFs,
    path: PathBuf,
    id: u64,
    /// The errors of the directory and of its disk that this descriptor has reported.
    heard: Mutex<(u64, u64)>,
}

impl Directory for FaultyFsDir {
    fn sync(&self) -> io::Result<()> {
        let mut state = self.files.state();
        let failed = state.call(Call::Sync).and_then(all);
        if let Err(error) = &failed
            && !is_broken(error)
        {
            return failed;
        }
        // It may have been deleted, and another be there.
        if state.now.get(&self.path) == Some(&Node::Dir(self.id)) {
            state.write_names(&self.path, failed.is_ok());
        }
        let errors = state.dir_errors.get_mut(&self.id).unwrap();
        if failed.is_err() {
            errors.add();
        }
        errors.report(&mut self.heard.lock().unwrap().0)
    }

    fn sync_disk(&self) -> io::Result<bool> {
        let mut state = self.files.state();
        let failed = state.call(Call::SyncDisk).and_then(all);
        match &failed {
            Err(error) if is_broken(error) => state.disk_errors.add(),
            Err(_) => return failed.map(|()| true),
            Ok(()) => {}
        }
        for (path, id) in state.files_now() {
            match failed {
                Ok(()) => state.keep(id, &fs::read(path)?),
                Err(_) => drop(state.lose(id, length(&path))),
            }
        }
        state.disk_errors.report(&mut self.heard.lock().unwrap().1)?;
        Ok(true)
    }
}

#[derive(Debug)]
struct FaultyFsFile {
    files: FaultyFs,
    file: File,
    id: u64,
    /// The errors that this descriptor has reported.
    heard: u64,
}

impl Write for FaultyFsFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.files.state();
        match state.call(Call::Write)? {
            Course::Whole => self.file.write_all(bytes).map(|()| bytes.len()),
            Course::Half(error) => {
                let half = bytes.len().div_ceil(2);
                self.file.write_all(&bytes[..half])?;
                error.map_or(Ok(half), Err)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for FaultyFsFile {
    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.files.state();
        let failed = state.call(Call::Sync).and_then(all);
        if let Err(error) = &failed
            && !is_broken(error)
        {
            return failed;
        }
        let at = self.file.stream_position()?;
        self.file.rewind()?;
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        self.file.seek(SeekFrom::Start(at))?;
        match failed {
            Ok(()) => state.keep(self.id, &bytes),
            Err(_) => {
                state.lose(self.id, bytes.len());
            }
        }
        state.content(self.id).errors.report(&mut self.heard).and(failed)
    }

    fn check(&mut self) -> io::Result<()> {
        let mut state = self.files.state();
        all(state.call(Call::Check)?)?;
        state.content(self.id).errors.report(&mut self.heard)
    }
}
