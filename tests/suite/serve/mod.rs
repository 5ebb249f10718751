//! The server of the local page, met as others meet it: by pages, by hostile pages, by slow, greedy and
//! garbled clients, and by jobs that run elsewhere.

mod hostile;
mod jobs;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common;

/// Takes a second or so: it can be stopped in the middle.
const LONG: &str = "wrapslide:6x6:2";
const LONG_NAME: &str = "wrapslide-6x6-2";

/// A server in a directory of its own.
struct Serving {
    child: Child,
    port: u16,
    dir: PathBuf,
    _own: Option<TempDir>,
}

impl Serving {
    fn start() -> Self {
        let own = tempfile::tempdir().unwrap();
        let mut serving = Serving::at(own.path());
        serving._own = Some(own);
        serving
    }

    fn at(dir: &Path) -> Self {
        Serving::with(dir, |_| ())
    }

    /// With other settings of the process.
    fn with(dir: &Path, change: impl Fn(&mut Command)) -> Self {
        let mut command = common::godnum(&["serve", "--port", "0", "--memory", "600M", "--threads", "1"]);
        command.current_dir(dir).env("XDG_CACHE_HOME", dir.join("cache"));
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        change(&mut command);
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let port = line.trim().trim_end_matches('/').rsplit(':').next();
        Serving { child, port: port.unwrap().parse().unwrap(), dir: dir.to_owned(), _own: None }
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let (status, text) = self.ask_text(method, path, body);
        let value = serde_json::from_str(&text);
        (status, value.unwrap_or_else(|e| panic!("{path}: {e}: {text}")))
    }

    fn ask_text(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, String) {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .build()
            .into();
        let uri = format!("http://127.0.0.1:{}{path}", self.port);
        let response = match (method, body) {
            ("GET", _) => agent.get(uri).call(),
            ("DELETE", _) => agent.delete(uri).call(),
            ("POST", Some(body)) => agent.post(uri).send_json(body),
            _ => unreachable!(),
        };
        let mut response = response.unwrap();
        let status = response.status().as_u16();
        (status, response.body_mut().read_to_string().unwrap())
    }

    fn get(&self, path: &str) -> Value {
        let (status, value) = self.ask("GET", path, None);
        assert_eq!(status, 200, "{path}: {value}");
        value
    }

    fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.ask("POST", path, Some(&body))
    }

    fn begin(&self, body: Value) -> u64 {
        let (status, value) = self.post("/api/tasks", body);
        assert_eq!(status, 200, "{value}");
        value["task"].as_u64().unwrap()
    }

    /// The task when it has ended.
    fn ended(&self, task: u64) -> Value {
        for _ in 0..10 {
            let view = self.get(&format!("/api/tasks/{task}?wait=10000"));
            if !matches!(view["state"].as_str(), Some("waiting" | "running")) {
                return view;
            }
        }
        panic!("task {task} does not end")
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let patience = Some(Duration::from_secs(15));
        stream.set_read_timeout(patience).unwrap();
        stream.set_write_timeout(patience).unwrap();
        stream
    }

    /// Sends bytes as they are and nothing more, and returns what comes until the server closes.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        rest(&mut stream)
    }

    /// Sends a request that asks for the connection to be closed, and returns the answer.
    fn closing(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // It may be refused before all of it is sent.
        let _ = stream.write_all(bytes);
        rest(&mut stream)
    }

    /// A request with some headers, by hand; the host is right unless it is among them.
    fn request(&self, line: &str, headers: &[(&str, &str)], body: &str) -> String {
        let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            text += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        self.closing(format!("{text}\r\n{body}").as_bytes())
    }

    fn jobs(&self) -> Vec<Value> {
        self.get("/api/jobs")["jobs"].as_array().unwrap().clone()
    }

    /// Waits until the only job is running and has some levels, or is finished.
    fn wait_for_levels(&self) -> Value {
        let began = Instant::now();
        loop {
            if let [job] = &self.jobs()[..]
                && (job["state"] == "running" && job["levels"].as_u64() > Some(3)
                    || job["state"] == "finished")
            {
                return job.clone();
            }
            assert!(began.elapsed() < Duration::from_secs(15), "{:?}", self.jobs());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Asks it to end, and returns its exit code and how long that took.
    fn terminate(&mut self, signal: &str) -> (Option<i32>, Duration) {
        let began = Instant::now();
        common::signal(&self.child, signal);
        (self.child.wait().unwrap().code(), began.elapsed())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Everything until the other side closes, or breaks the connection off.
fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn status(answer: &str) -> u16 {
    let number = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
    number.unwrap_or(0)
}

const JSON: (&str, &str) = ("Content-Type", "application/json");

#[test]
fn the_page_is_there_with_all_its_parts() {
    let serving = Serving::start();
    let page = serving.request("GET /", &[], "");
    assert_eq!(status(&page), 200);
    let head = page.to_lowercase();
    for header in [
        "content-type: text/html; charset=utf-8",
        "content-security-policy: default-src 'none'; script-src 'self'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin",
        "cross-origin-resource-policy: same-origin",
        "cache-control: no-cache",
    ] {
        assert!(head.contains(header), "{header}: {page}");
    }
    let parts: Vec<&str> = page.split('"').filter(|text| text.starts_with("/page/")).collect();
    assert!(!parts.is_empty());
    for part in parts {
        let answer = serving.request(&format!("GET {part}"), &[], "");
        assert_eq!(status(&answer), 200, "{part}");
    }
    // A browser that has it is not sent it again.
    let tag = page.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = serving.request("GET /", &[("If-None-Match", tag)], "");
    assert_eq!(status(&again), 304, "{again}");
    assert!(again.ends_with("\r\n\r\n"));
    let head = serving.request("HEAD /", &[], "");
    assert!(status(&head) == 200 && head.ends_with("\r\n\r\n"), "{head}");
    assert!(serving.request("GET /api/kinds", &[], "").contains("cache-control: no-store"));
    for (line, allowed) in [
        ("POST /", "GET, HEAD"),
        ("DELETE /api/jobs", "GET"),
        ("GET /api/puzzle", "POST"),
        ("PUT /api/tasks", "GET, POST"),
        ("POST /api/tasks/1", "GET, DELETE"),
        ("BREW /api/kinds", "GET"),
        ("OPTIONS /api/tasks", "GET, POST"),
    ] {
        let answer = serving.request(line, &[JSON], "{}");
        assert_eq!(status(&answer), 405, "{line}");
        assert!(answer.contains(&format!("allow: {allowed}\r\n")), "{answer}");
    }
}

#[test]
fn a_port_that_is_taken_is_said_so() {
    let mut serving = Serving::start();
    let port = serving.port.to_string();
    let why = common::complaint(&["serve", "--port", &port], 1);
    assert!(why.contains("--port 0"), "{why}");
    let (code, time) = serving.terminate("TERM");
    assert_eq!(code, Some(0));
    assert!(time < Duration::from_secs(2));
}
