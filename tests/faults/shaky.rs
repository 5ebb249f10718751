//! Files that fail: a stand-in for the system that strikes at one chosen call, and that knows what a
//! power failure would leave.
//!
//! Everything is done on the real file system, so that the program under test can read it. Beside
//! that stands a model of what is durable: the content that each file had at its last sync, and the
//! names that each directory had at its last sync. After a power failure the tree is laid anew out of
//! the model.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use godnum::random::Random;
use godnum::store::files::{Files, Output};

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
    Sync,
    SyncAll,
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
    Dir,
    File(u64),
}

/// What is left of a file's content without power.
#[derive(Clone, Debug, Default)]
struct Content {
    durable: Vec<u8>,
    /// Whether a sync failed: later ones succeed and do nothing.
    lost: bool,
}

#[derive(Debug, Default)]
struct State {
    strike: Option<(usize, Fault)>,
    struck: bool,
    calls: Vec<Call>,
    dead: bool,
    full: bool,
    files: u64,
    now: BTreeMap<PathBuf, Node>,
    durable: BTreeMap<PathBuf, Node>,
    contents: HashMap<u64, Content>,
    lost_dirs: BTreeSet<PathBuf>,
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
        self.files += 1;
        let content = Content {
            durable,
            lost: false,
        };
        self.contents.insert(self.files, content);
        self.now.insert(path.to_owned(), Node::File(self.files));
        self.files
    }

    fn id(&self, path: &Path) -> u64 {
        match self.now.get(path) {
            Some(&Node::File(id)) => id,
            other => panic!("{} is {other:?}, not a file", path.display()),
        }
    }

    /// The content of a file is durable now.
    fn keep(&mut self, id: u64, bytes: Vec<u8>) {
        let content = self.contents.get_mut(&id).unwrap();
        if !content.lost {
            content.durable = bytes;
        }
    }

    /// The names in a directory are durable now.
    fn keep_names(&mut self, dir: &Path) {
        if self.lost_dirs.contains(dir) {
            return;
        }
        self.durable.retain(|path, _| path.parent() != Some(dir));
        for (path, &node) in &self.now {
            if path.parent() == Some(dir) {
                self.durable.insert(path.clone(), node);
            }
        }
    }

    fn files_now(&self) -> Vec<(PathBuf, u64)> {
        let file = |(path, node): (&PathBuf, &Node)| match node {
            Node::File(id) => Some((path.clone(), *id)),
            Node::Dir => None,
        };
        self.now.iter().filter_map(file).collect()
    }
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
pub struct Shaky {
    root: PathBuf,
    state: Arc<Mutex<State>>,
}

impl Shaky {
    /// Everything that is below `root` is durable. The fault strikes at the call of this number,
    /// counted from 0.
    pub fn new(root: &Path, strike: Option<(usize, Fault)>) -> Self {
        let mut state = State {
            strike,
            ..State::default()
        };
        adopt(&mut state, root);
        state.durable = state.now.clone();
        Shaky {
            root: root.to_owned(),
            state: Arc::new(Mutex::new(state)),
        }
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
        let state = self.state();
        match state.strike {
            Some((_, Fault::PowerLoss | Fault::BrokenThenLoss)) => self.lay(&state, None),
            Some((_, Fault::PartialLoss(seed))) => self.lay(&state, Some(Random::new(seed))),
            _ => {}
        }
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
            let names: BTreeSet<_> = nodes.keys().chain(state.now.keys()).cloned().collect();
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
            if path.parent().is_some_and(Path::is_dir) {
                match node {
                    Node::Dir => fs::create_dir(path).unwrap(),
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
            state.now.insert(path.clone(), Node::Dir);
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

impl Files for Shaky {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        all(state.call(Call::CreateDir)?)?;
        fs::create_dir(path)?;
        state.now.insert(path.to_owned(), Node::Dir);
        Ok(())
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        let mut state = self.state();
        all(state.call(Call::Create)?)?;
        let mut options = File::options();
        let file = options.read(true).write(true).create_new(true).open(path)?;
        let id = state.new_file(path, Vec::new());
        let files = self.clone();
        Ok(Box::new(ShakyFile { files, file, id }))
    }

    fn reopen(&self, path: &Path, length: u64) -> io::Result<Box<dyn Output>> {
        let mut state = self.state();
        all(state.call(Call::Reopen)?)?;
        let mut file = File::options().read(true).write(true).open(path)?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        let id = state.id(path);
        let files = self.clone();
        Ok(Box::new(ShakyFile { files, file, id }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        all(state.call(Call::Rename)?)?;
        fs::rename(from, to)?;
        let node = state.now.remove(from).unwrap();
        state.now.insert(to.to_owned(), node);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        all(state.call(Call::Remove)?)?;
        fs::remove_file(path)?;
        state.now.remove(path);
        Ok(())
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        all(state.call(Call::RemoveDir)?)?;
        fs::remove_dir(path)?;
        state.now.remove(path);
        Ok(())
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        let dir = path.is_dir();
        if let Err(error) = state.call(Call::Sync).and_then(all) {
            match dir {
                true => drop(state.lost_dirs.insert(path.to_owned())),
                false => {
                    let id = state.id(path);
                    state.contents.get_mut(&id).unwrap().lost = true;
                }
            }
            return Err(error);
        }
        match dir {
            true => state.keep_names(path),
            false => {
                let id = state.id(path);
                state.keep(id, fs::read(path)?);
            }
        }
        Ok(())
    }

    fn sync_all(&self, _: &Path) -> io::Result<()> {
        let mut state = self.state();
        let failed = state.call(Call::SyncAll).and_then(all);
        for (path, id) in state.files_now() {
            match failed {
                Ok(()) => state.keep(id, fs::read(path)?),
                Err(_) => state.contents.get_mut(&id).unwrap().lost = true,
            }
        }
        failed
    }
}

#[derive(Debug)]
struct ShakyFile {
    files: Shaky,
    file: File,
    id: u64,
}

impl Write for ShakyFile {
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

impl Output for ShakyFile {
    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.files.state();
        if let Err(error) = state.call(Call::Sync).and_then(all) {
            state.contents.get_mut(&self.id).unwrap().lost = true;
            return Err(error);
        }
        let at = self.file.stream_position()?;
        self.file.rewind()?;
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        self.file.seek(SeekFrom::Start(at))?;
        state.keep(self.id, bytes);
        Ok(())
    }
}
