//! `godnum play` and films on a terminal: one that is made for the test, and may go away.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::common::{godnum, signal};

/// Everything is answered much faster than this.
const SOON: Duration = Duration::from_secs(5);

/// The program on a terminal.
struct Seat {
    child: Child,
    /// Our side of the terminal, and the program's, which can so be looked at when the program has left.
    /// Without both the terminal is gone.
    sides: Option<(File, File)>,
    said: String,
}

impl Seat {
    fn new(arguments: &[&str]) -> Self {
        let (mut master, mut slave) = (-1, -1);
        let size = libc::winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        let (name, mode) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the first two are written, the others are null or read.
        let done = unsafe { libc::openpty(&mut master, &mut slave, name, mode, &size) };
        assert_eq!(done, 0);
        // SAFETY: they were opened just now, and nobody else has them.
        let (master, slave) = unsafe { (OwnedFd::from_raw_fd(master), OwnedFd::from_raw_fd(slave)) };
        // The program must not keep the terminal open that it is to lose.
        // SAFETY: a flag of a descriptor that is open.
        unsafe { libc::fcntl(master.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC) };
        // SAFETY: as above.
        unsafe { libc::fcntl(slave.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC) };
        let child = godnum(arguments)
            .env("TERM", "xterm")
            .stdin(slave.try_clone().unwrap())
            .stdout(slave.try_clone().unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Seat { child, sides: Some((File::from(master), File::from(slave))), said: String::new() }
    }

    fn send(&mut self, bytes: &[u8]) {
        let (master, _) = self.sides.as_mut().unwrap();
        master.write_all(bytes).unwrap();
    }

    /// Reads what the program writes, for a moment.
    fn listen(&mut self) {
        let Some((master, _)) = &mut self.sides else {
            std::thread::sleep(Duration::from_millis(5));
            return;
        };
        let mut ready = libc::pollfd { fd: master.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one record, and its number.
        if unsafe { libc::poll(&mut ready, 1, 5) } == 1 {
            let mut bytes = [0; 4096];
            let length = master.read(&mut bytes).unwrap();
            self.said += &String::from_utf8_lossy(&bytes[..length]);
        }
    }

    /// Waits until something is on the screen, and forgets what came before.
    fn sees(&mut self, what: &str) {
        let end = Instant::now() + SOON;
        while Instant::now() < end {
            if let Some(at) = self.said.find(what) {
                self.said.drain(..at + what.len());
                return;
            }
            self.listen();
        }
        panic!("no `{what}` in {:?}", self.said);
    }

    /// Waits until the program has ended.
    fn ends(&mut self) -> ExitStatus {
        let end = Instant::now() + SOON;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            self.listen();
        }
        panic!("it did not end: {:?}", self.said);
    }

    /// Whether lines are read again, and what was on the screen is there again.
    fn is_given_back(&mut self) {
        let (_, slave) = self.sides.as_ref().unwrap();
        // SAFETY: a plain record, which is then filled.
        let mut mode: libc::termios = unsafe { std::mem::zeroed() };
        // SAFETY: an open terminal and a record to write to.
        let done = unsafe { libc::tcgetattr(slave.as_raw_fd(), &mut mode) };
        assert_eq!(done, 0);
        assert!(mode.c_lflag & libc::ICANON != 0, "the terminal is still raw");
        self.sees("\x1b[?1049l");
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const FILM: [&str; 5] = ["solve", "tiles:2x2", "1 2/0 3", "--film", "-q"];
const GAME: [&str; 4] = ["play", "tiles:3x3", "--seed", "1"];

#[test]
fn keys_and_their_codes() {
    for (keys, code, last) in
        [(&b"q"[..], 0, "not solved"), (b"\x04", 0, "not solved"), (b"\x03", 130, "\x1b[?1049l")]
    {
        let mut seat = Seat::new(&GAME);
        seat.sees("0 moves");
        seat.send(keys);
        seat.sees(last);
        assert_eq!(seat.ends().code(), Some(code), "{keys:?}");
    }
    let mut seat = Seat::new(&GAME);
    seat.sees("0 moves");
    seat.send(b"\x1b[C");
    seat.sees("1 move;");
    seat.send(b"u");
    seat.sees("0 moves;");
    seat.send(b"\x1bOC");
    seat.sees("1 move;");
    seat.send(b"q");
    seat.sees("Press q again");
    seat.send(b"q");
    assert_eq!(seat.ends().code(), Some(0));
    seat.is_given_back();
}

/// What is told when a film is stopped.
#[test]
fn films_are_no_games() {
    let complaint = |end: &dyn Fn(&mut Seat)| {
        let mut seat = Seat::new(&FILM);
        seat.sees("0 of 1");
        end(&mut seat);
        assert_eq!(seat.ends().code(), Some(130));
        seat.is_given_back();
        let mut text = String::new();
        let stderr = seat.child.stderr.as_mut().unwrap();
        stderr.read_to_string(&mut text).unwrap();
        text
    };
    let said = complaint(&|seat| seat.send(b"\x03"));
    assert_eq!(said, "error: the film was stopped by Ctrl-C\n");
    let said = complaint(&|seat| signal(&seat.child, "TERM"));
    assert_eq!(said, "error: stopped by a signal\n");
}

#[test]
fn a_terminal_that_goes_away_ends_a_game_and_a_film() {
    for (arguments, begun) in [(&GAME[..], "0 moves"), (&FILM, "0 of 1")] {
        let mut seat = Seat::new(arguments);
        seat.sees(begun);
        seat.sides = None;
        seat.ends();
    }
}

#[test]
fn half_a_key_does_not_keep_a_signal_waiting() {
    for half in [&b"\xc3"[..], b"\x1b[", b"\x1bO", b"\x1b[1;"] {
        let mut seat = Seat::new(&GAME);
        seat.sees("0 moves");
        seat.send(half);
        std::thread::sleep(Duration::from_millis(200));
        signal(&seat.child, "TERM");
        assert_eq!(seat.ends().code(), Some(130), "{half:?}");
        seat.is_given_back();
    }
}

#[test]
fn a_long_paste_is_read_to_its_end() {
    let mut seat = Seat::new(&GAME);
    seat.sees("0 moves");
    let mut paste = b":".to_vec();
    paste.extend("x".repeat(3000).bytes());
    paste.extend(b"\r");
    seat.send(&paste);
    // What is refused is shown, but not all of it.
    seat.sees("xxx ...");
    seat.send(b"q");
    assert_eq!(seat.ends().code(), Some(0));
}

#[test]
fn signals_in_quick_succession_give_the_terminal_back() {
    for _ in 0..5 {
        let mut seat = Seat::new(&GAME);
        seat.sees("0 moves");
        let id = seat.child.id() as libc::pid_t;
        for signal in [libc::SIGINT, libc::SIGTERM] {
            // SAFETY: a signal to a child that has not been waited for.
            unsafe { libc::kill(id, signal) };
        }
        assert_eq!(seat.ends().code(), Some(130));
        seat.is_given_back();
    }
}
