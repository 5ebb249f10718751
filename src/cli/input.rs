//! Lines of standard input, read so that a signal is answered while there is none.

use std::io::{BufRead, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::engine::Control;
use crate::error::{Error, IoAction, Result};

/// Lines that may wait to be taken.
const WAITING: usize = 64;

/// No line is longer than this, with its end. Of one that is, as much and one byte more is handed on.
pub const LONGEST: usize = 1 << 16;

/// Standard input, read by a thread of its own: the system would wait for a line through any signal.
pub struct TypedLines(Option<Receiver<std::io::Result<Vec<u8>>>>);

impl Default for TypedLines {
    fn default() -> Self {
        let (sender, receiver) = sync_channel(WAITING);
        // The thread ends with the input, or with the process.
        let thread = std::thread::Builder::new().spawn(move || {
            loop {
                let mut bytes = Vec::new();
                let mut input = std::io::stdin().lock();
                let some = &mut input.by_ref().take(LONGEST as u64 + 1);
                let read = some.read_until(b'\n', &mut bytes);
                let end = !matches!(read, Ok(1..));
                let cut = bytes.len() > LONGEST && bytes.last() != Some(&b'\n');
                if matches!(read, Ok(0)) || sender.send(read.map(|_| bytes)).is_err() || end {
                    break;
                }
                if cut && input.skip_until(b'\n').is_err() {
                    break;
                }
            }
        });
        TypedLines(thread.ok().map(|_| receiver))
    }
}

impl TypedLines {
    /// The next line with its end; `None` after the last.
    pub fn next(&self, control: Control<'_>) -> Result<Option<Vec<u8>>> {
        let Some(receiver) = &self.0 else {
            return Err(Error::limit("cannot start a thread to read the input"));
        };
        while !control.stopped() {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok(Ok(line)) => return Ok(Some(line)),
                Ok(Err(e)) => {
                    return Err(Error::io(IoAction::Read, Path::new("standard input"), e));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Err(Error::interrupted("stopped before the input ended"))
    }
}
