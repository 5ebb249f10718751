//! The terminal of the process as the system knows it: its mode, its size, its bytes.
//!
//! Nothing here waits longer than it is asked to. The system's own calls are made on the spot, without a
//! library of events between: so a terminal that goes away, half a key or a long paste are just answers
//! of `poll` and `read`.

use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::{stdin, stdout};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

/// A screen of its own, and no cursor.
const TAKE: &str = "\x1b[?1049h\x1b[?25l";
/// The cursor, and the screen that was there before.
const GIVE_BACK: &str = "\x1b[?25h\x1b[?1049l";

/// How the terminal was when it was taken for the first time.
static BEFORE: OnceLock<Termios> = OnceLock::new();
/// Whether it is taken now, so that it has to be given back.
static TAKEN: AtomicBool = AtomicBool::new(false);

pub enum ReadOutcome {
    /// This many bytes were read.
    Read(usize),
    /// None have come.
    None,
    /// None will come any more: the terminal is gone.
    Gone,
}

/// Whether the terminal is taken.
pub fn is_taken() -> bool {
    TAKEN.load(SeqCst)
}

/// Takes the terminal: keys come one by one, on a screen of its own.
pub fn take() -> std::io::Result<()> {
    let before = match BEFORE.get() {
        Some(before) => before,
        None => {
            let before = tcgetattr(stdin())?;
            BEFORE.get_or_init(|| before)
        }
    };
    TAKEN.store(true, SeqCst);
    let mut raw = before.clone();
    raw.make_raw();
    tcsetattr(stdin(), OptionalActions::Now, &raw)?;
    let mut out = std::io::stdout().lock();
    out.write_all(TAKE.as_bytes())?;
    out.flush()
}

/// Gives the terminal back, if it is taken.
pub fn give_back() {
    if is_taken() {
        // An error cannot be reported here.
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(GIVE_BACK.as_bytes());
        let _ = out.flush();
        set_as_before();
        // Last: until now a signal in between has to do it.
        TAKEN.store(false, SeqCst);
    }
}

/// The same from the handler of a signal that ends the process: without a lock, without memory, and
/// without waiting for a terminal that takes nothing.
pub fn give_back_at_once() {
    if is_taken() {
        set_as_before();
        let mut ready = [PollFd::from_borrowed_fd(stdout(), PollFlags::OUT)];
        if poll(&mut ready, Some(&Timespec::default())) == Ok(1) {
            let _ = rustix::io::write(stdout(), GIVE_BACK.as_bytes());
        }
    }
}

fn set_as_before() {
    if let Some(before) = BEFORE.get() {
        let _ = tcsetattr(stdin(), OptionalActions::Now, before);
    }
}

/// Columns and rows; something usual if the terminal does not know.
pub fn size() -> (usize, usize) {
    match tcgetwinsize(stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col.into(), size.ws_row.into()),
        _ => (80, 24),
    }
}

/// Reads bytes, if some come in time.
pub fn read(into: &mut [u8], wait: Duration) -> ReadOutcome {
    let mut ready = [PollFd::from_borrowed_fd(stdin(), PollFlags::IN)];
    let wait = Timespec { tv_sec: wait.as_secs() as _, tv_nsec: wait.subsec_nanos() as _ };
    match poll(&mut ready, Some(&wait)) {
        Ok(0) | Err(Errno::INTR) => return ReadOutcome::None,
        Ok(_) => {}
        Err(_) => return ReadOutcome::Gone,
    }
    // What came before the terminal went is still read.
    if !ready[0].revents().contains(PollFlags::IN) {
        return ReadOutcome::Gone;
    }
    match rustix::io::read(stdin(), into) {
        Ok(0) => ReadOutcome::Gone,
        Ok(length) => ReadOutcome::Read(length),
        Err(Errno::INTR | Errno::AGAIN) => ReadOutcome::None,
        Err(_) => ReadOutcome::Gone,
    }
}
