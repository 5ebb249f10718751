//! The page as people meet it, in a real browser: each puzzle is loaded, moved, broken, solved and watched to the end.
//!
//! Without Chromium and its driver (Debian's `chromium` and `chromium-driver`) these tests report that they are skipped;
//! with `GODNUM_NO_SKIP=1` they fail instead. `GODNUM_PICTURES=DIR` keeps a picture of every view, and the times
//! that were measured.

mod browser;
mod generic;
mod product;
mod storage;
mod views;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use crate::common;
use browser::Browser;

/// A server in a directory of its own.
pub struct Server {
    child: Child,
    /// `http://127.0.0.1:PORT/`
    pub address: String,
    /// Its jobs are in `runs` in here.
    pub dir: tempfile::TempDir,
}

impl Server {
    fn start() -> Server {
        let dir = tempfile::tempdir().unwrap();
        let mut child = common::godnum(&["serve", "--port", "0", "--memory", "1G"])
            .current_dir(dir.path())
            .env("XDG_CACHE_HOME", dir.path().join("cache"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let line = BufReader::new(child.stdout.take().unwrap()).lines().next();
        let line = line.expect("a line with the address").unwrap();
        let start = line.find("http://").expect("an address");
        let address = line[start..].split_whitespace().next().unwrap();
        Server { address: format!("{}/", address.trim_end_matches('/')), child, dir }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server and a browser that shows it; `None`, with a word about it, where there is no browser.
fn visit(width: u32, height: u32, dark: bool) -> Option<(Server, Browser)> {
    let Some(browser) = Browser::start(width, height, dark) else {
        common::skip("there is no `chromedriver` with Chromium on this machine");
        return None;
    };
    let server = Server::start();
    browser.open(&server.address);
    Some((server, browser))
}
