//! Processes on this machine, which the first one starts and watches.

use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::error::{Error, IoAction, Result};

/// Where the started processes find the secret.
pub const SECRET: &str = "GODNUM_CLUSTER_SECRET";

/// How long they may take to end when all is done.
const END_WITHIN: Duration = Duration::from_secs(10);

/// What the last process wrote before it ended is reported up to here.
const REPORTED: usize = 2000;

/// The other processes; they are killed when this is dropped.
pub struct Children(Vec<Child>);

impl Children {
    /// Starts processes 1 to `count` - 1: this program with `arguments`, and where to find process 0.
    pub fn start(arguments: &[OsString], address: &str, count: usize, secret: &[u8]) -> Result<Self> {
        let failed = |e| Error::io(IoAction::Open, "/proc/self/exe".as_ref(), e);
        let program = std::env::current_exe().map_err(failed)?;
        let mut children = Children(Vec::new());
        let secret: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        for process in 1..count {
            let child = Command::new(&program)
                .args(arguments)
                .args(["--cluster", &format!("join:{address}/{count}"), "--process", &process.to_string()])
                .env(SECRET, &secret)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn();
            children.0.push(child.map_err(failed)?);
        }
        Ok(children)
    }

    /// Fails if one of them has ended.
    pub fn check(&mut self) -> Result<()> {
        for (child, process) in self.0.iter_mut().zip(1..) {
            if let Ok(Some(status)) = child.try_wait() {
                let mut text = String::new();
                if let Some(output) = &mut child.stderr {
                    let _ = output.take(REPORTED as u64).read_to_string(&mut text);
                }
                let said = text.lines().last().map_or(String::new(), |line| format!(": {line}"));
                let how = format!("ended before the work began ({status}){said}");
                return Err(Error::Lost { process, place: format!("system process {}", child.id()), how });
            }
        }
        Ok(())
    }

    /// Waits until all have ended.
    pub fn wait(&mut self) {
        let begun = Instant::now();
        while begun.elapsed() < END_WITHIN
            && self.0.iter_mut().any(|child| matches!(child.try_wait(), Ok(None)))
        {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
