//! The server of the local page, met as others meet it: by pages, by hostile pages, by slow, greedy and
//! garbled clients, and by jobs that run elsewhere.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

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
        let mut child =
            common::godnum(&["serve", "--port", "0", "--memory", "600M", "--threads", "1"])
                .current_dir(dir)
                .env("XDG_CACHE_HOME", dir.join("cache"))
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let port = line.trim().trim_end_matches('/').rsplit(':').next();
        Serving {
            child,
            port: port.unwrap().parse().unwrap(),
            dir: dir.to_owned(),
            _own: None,
        }
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let (status, text) = self.ask_text(method, path, body);
        let value = serde_json::from_str(&text);
        (
            status,
            value.unwrap_or_else(|e| panic!("{path}: {e}: {text}")),
        )
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
            assert!(
                began.elapsed() < Duration::from_secs(15),
                "{:?}",
                self.jobs()
            );
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
    let parts: Vec<&str> = page
        .split('"')
        .filter(|text| text.starts_with("/page/"))
        .collect();
    assert!(!parts.is_empty());
    for part in parts {
        let answer = serving.request(&format!("GET {part}"), &[], "");
        assert_eq!(status(&answer), 200, "{part}");
    }
    // A browser that has it is not sent it again.
    let tag = page
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .unwrap();
    let again = serving.request("GET /", &[("If-None-Match", tag)], "");
    assert_eq!(status(&again), 304, "{again}");
    assert!(again.ends_with("\r\n\r\n"));
    let head = serving.request("HEAD /", &[], "");
    assert!(status(&head) == 200 && head.ends_with("\r\n\r\n"), "{head}");
    assert!(
        serving
            .request("GET /api/kinds", &[], "")
            .contains("cache-control: no-store")
    );
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
        assert!(
            answer.contains(&format!("allow: {allowed}\r\n")),
            "{answer}"
        );
    }
}

#[test]
fn other_sites_are_kept_out() {
    let serving = Serving::start();
    let port = serving.port;
    let own = format!("http://localhost:{port}");
    let get = |headers: &[(&str, &str)]| status(&serving.request("GET /api/jobs", headers, ""));
    assert_eq!(get(&[]), 200);
    assert_eq!(
        get(&[("Host", &format!("localhost:{port}")), ("Origin", &own)]),
        200
    );
    // A name that was made to point to this machine.
    assert_eq!(get(&[("Host", &format!("evil.example:{port}"))]), 403);
    assert_eq!(get(&[("Host", "127.0.0.1")]), 403);
    assert_eq!(get(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(get(&[("Origin", "null")]), 403);
    assert_eq!(get(&[("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(get(&[("Sec-Fetch-Site", "same-site")]), 403);
    assert_eq!(get(&[("Sec-Fetch-Site", "same-origin")]), 200);
    let link = [
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Mode", "navigate"),
        ("Sec-Fetch-Dest", "document"),
    ];
    assert_eq!(status(&serving.request("GET /", &link, "")), 200);
    // No host at all, two of them, another one in the request itself.
    assert_eq!(status(&serving.raw(b"GET / HTTP/1.0\r\n\r\n")), 403);
    let two = format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nHost: evil.example\r\n\r\n");
    assert_ne!(status(&serving.raw(two.as_bytes())), 200);
    assert_eq!(
        status(&serving.request("GET http://evil.example/", &[], "")),
        403
    );
    assert_ne!(
        status(&serving.request("CONNECT evil.example:80", &[], "")),
        200
    );
    // What forms can post, and what a script may post without asking first.
    let body = r#"{"do":"enumerate","puzzle":"tiles:2x2"}"#;
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let answer = serving.request("POST /api/tasks", &[("Content-Type", kind)], body);
        assert_eq!(status(&answer), 415, "{kind}");
    }
    assert_eq!(status(&serving.request("POST /api/tasks", &[], body)), 415);
    let foreign = [JSON, ("Origin", "http://evil.example")];
    assert_eq!(
        status(&serving.request("POST /api/tasks", &foreign, body)),
        403
    );
    // Who asks first is not told yes.
    let first = [
        ("Origin", "http://evil.example"),
        ("Access-Control-Request-Method", "DELETE"),
    ];
    let answer = serving.request("OPTIONS /api/tasks/1", &first, "");
    assert_eq!(status(&answer), 403);
    assert!(!answer.to_lowercase().contains("access-control"));
    assert_eq!(serving.get("/api/tasks"), json!([]));
}

#[test]
fn no_path_leads_out() {
    let serving = Serving::start();
    std::fs::create_dir(serving.dir.join("runs")).unwrap();
    std::fs::write(
        serving.dir.join("secret.csv"),
        "level,classes,states\n0,1,1\n",
    )
    .unwrap();
    std::fs::create_dir(serving.dir.join("results")).unwrap();
    let (out, up) = ("../Cargo.toml", "../../../../../../etc/passwd");
    let mut paths = vec![
        "//".to_owned(),
        "/page/".into(),
        "/page".into(),
        "/api".into(),
        "/.".into(),
    ];
    for place in [
        "/",
        "/page/",
        "/api/",
        "/api/jobs/",
        "/api/results/",
        "/api/tasks/",
    ] {
        for way in [
            out,
            up,
            "..",
            ".",
            "../secret",
            "/etc/passwd",
            "index.html%00",
            "é",
            "~",
        ] {
            let dots = way.replace('.', "%2e");
            for way in [
                way.to_owned(),
                way.replace('/', "%2f"),
                dots.replace('/', "%2F"),
                dots.replace('%', "%25"),
                way.replace('/', "\\"),
                way.replace('/', "%5c"),
                way.replace("..", "%c0%ae%c0%ae"),
                format!("{way}/chart"),
                format!("{way}/states"),
            ] {
                paths.push(format!("{place}{way}"));
            }
        }
    }
    for path in paths.iter().filter(|path| !path.ends_with("/index.html")) {
        let answer = serving.request(&format!("GET {path}"), &[], "");
        assert!(matches!(status(&answer), 400 | 404), "{path}: {answer}");
        for secret in ["[package]", "root:", "classes\""] {
            assert!(!answer.contains(secret), "{path}");
        }
    }
}

#[test]
fn what_is_too_large_or_no_request_is_refused() {
    let serving = Serving::start();
    let host = format!("Host: 127.0.0.1:{}\r\n", serving.port);
    let long = "x".repeat(40_000);
    assert_eq!(status(&serving.request("GET /", &[("X", &long)], "")), 431);
    assert_ne!(
        status(&serving.request(&format!("GET /{long}"), &[], "")),
        200
    );
    let many: Vec<(&str, &str)> = vec![("X-One", "1"); 200];
    assert_eq!(status(&serving.request("GET /", &many, "")), 431);

    let large = format!("{{\"puzzle\":\"{}\"}}", "x".repeat(2 << 20));
    assert_eq!(
        status(&serving.request("POST /api/look", &[JSON], &large)),
        413
    );
    let host = format!("{host}Connection: close\r\n");
    let head = format!("POST /api/look HTTP/1.1\r\n{host}Content-Type: application/json\r\n");
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 16, "x".repeat(1 << 16));
    let chunked = format!(
        "{head}Transfer-Encoding: chunked\r\n\r\n{}0\r\n\r\n",
        chunk.repeat(40)
    );
    assert_eq!(status(&serving.closing(chunked.as_bytes())), 413);
    for length in [
        "-1",
        "1e3",
        "99999999999999999999999",
        "5\r\nContent-Length: 6",
        "0x5",
    ] {
        let lie = format!("{head}Content-Length: {length}\r\n\r\n{{}}");
        assert!(
            matches!(status(&serving.raw(lie.as_bytes())), 400 | 0),
            "{length}"
        );
    }
    let both = format!("{head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    assert_ne!(status(&serving.raw(both.as_bytes())), 200);
    let broken = format!("{head}Content-Length: 50\r\n\r\n{{\"puzzle\":");
    assert!(matches!(status(&serving.raw(broken.as_bytes())), 400 | 0));

    let post = |body: &str| serving.request("POST /api/puzzle", &[JSON], body);
    for body in [
        "",
        "{",
        "[]",
        "7",
        "null",
        "\"x\"",
        "{}x",
        "{\"puzzle\":1e999}",
        "\u{feff}{}",
        "{\"puzzle\":null}",
        "{\"puzzle\":{}}",
        "{\"puzzle\":[[]]}",
        "{\"puzzle\":\"\"}",
        "{\"puzzle\":99999999999999999999999999999999}",
        "{\"puzzle\":\"\\ud800\"}",
        "{\"puzzle\":\"tiles:@/etc/passwd\"}",
        "{\"puzzle\":\"klotski:@/etc/passwd\"}",
        "{\"puzzle\":\"tiles:4294967297x4294967297\"}",
        "{\"puzzle\":\"\\u0000\"}",
    ] {
        let answer = post(body);
        assert_eq!(status(&answer), 400, "{body}: {answer}");
        assert!(
            answer.contains("{\"error\":\"") && !answer.contains("root:"),
            "{answer}"
        );
    }
    assert_eq!(status(&post(&"[".repeat(500_000))), 400);
    assert_eq!(status(&post(&"{\"a\":".repeat(100_000))), 400);
    let mut bad = format!("{head}Content-Length: 14\r\n\r\n").into_bytes();
    bad.extend(b"{\"puzzle\":\"\xff\"}");
    assert_eq!(status(&serving.closing(&bad)), 400);

    let noise: Vec<u8> = (0..20_000u32)
        .map(|i| (i.wrapping_mul(i).wrapping_mul(7919) >> 5) as u8)
        .collect();
    for garbage in [
        &noise[..],
        b"\0\0\0\0",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET\r\n\r\n",
        b"\r\n\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        b"GET / HTTP/1.1\r\n Host: x\r\n\r\n",
        b"GET / HTTP/1.1\nHost: evil\n\n",
    ] {
        assert!(
            matches!(status(&serving.raw(garbage)), 0 | 400 | 403),
            "{garbage:?}"
        );
    }
    assert!(serving.get("/api/kinds").is_array());
}

/// These take as long as the server's patience, all at the same time.
#[test]
fn who_is_slow_or_does_not_read_is_cut_off() {
    let serving = Serving::start();
    let host = format!("Host: 127.0.0.1:{}\r\n", serving.port);
    let cut_off = |stream: &mut TcpStream| {
        let began = Instant::now();
        let answer = rest(stream);
        assert!(began.elapsed() < Duration::from_secs(13));
        answer
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut stream = serving.connect();
            write!(stream, "GET / HTTP/1.1\r\n{host}X: ").unwrap();
            assert_ne!(status(&cut_off(&mut stream)), 200);
        });
        scope.spawn(|| {
            // A byte now and then does not help.
            let mut stream = serving.connect();
            write!(stream, "GET / HTTP/1.1\r\n{host}X: ").unwrap();
            let began = Instant::now();
            while stream.write_all(b"x").is_ok() {
                assert!(began.elapsed() < Duration::from_secs(13));
                std::thread::sleep(Duration::from_millis(250));
            }
        });
        scope.spawn(|| {
            let mut stream = serving.connect();
            write!(
                stream,
                "POST /api/look HTTP/1.1\r\n{host}Content-Type: application/json\r\n\
                 Content-Length: 100\r\n\r\n{{"
            )
            .unwrap();
            assert_eq!(status(&cut_off(&mut stream)), 408);
        });
        scope.spawn(|| {
            // An idle connection is not kept, either.
            let mut stream = serving.connect();
            write!(stream, "GET /api/kinds HTTP/1.1\r\n{host}\r\n").unwrap();
            assert_eq!(status(&cut_off(&mut stream)), 200);
        });
        scope.spawn(|| {
            let mut stream = serving.connect();
            stream
                .set_write_timeout(Some(Duration::from_secs(1)))
                .unwrap();
            let many = format!("GET /page/style.css HTTP/1.1\r\n{host}\r\n").repeat(1000);
            let began = Instant::now();
            loop {
                match stream.write_all(many.as_bytes()) {
                    Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {}
                    Err(_) => break,
                    Ok(()) => {}
                }
                assert!(began.elapsed() < Duration::from_secs(14));
            }
        });
        // All the while others are served.
        for _ in 0..10 {
            assert!(serving.get("/api/kinds").is_array());
            std::thread::sleep(Duration::from_millis(300));
        }
    });
}

#[test]
fn connections_have_their_number_and_requests_their_order() {
    let serving = Serving::start();
    let host = format!("Host: 127.0.0.1:{}\r\n", serving.port);
    let pipeline = format!(
        "GET /api/tasks HTTP/1.1\r\n{host}\r\nGET /none HTTP/1.1\r\n{host}\r\n\
         GET /api/kinds HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
    );
    let answers = serving.closing(pipeline.as_bytes());
    let statuses: Vec<u16> = answers.split("HTTP/1.1").skip(1).map(status).collect();
    assert_eq!(statuses, [200, 404, 200], "{answers}");

    let open: Vec<TcpStream> = (0..64).map(|_| serving.connect()).collect();
    std::thread::sleep(Duration::from_millis(300));
    let (status, answer) = serving.ask("GET", "/api/kinds", None);
    assert_eq!(status, 503, "{answer}");
    assert!(answer["error"].as_str().unwrap().contains("connections"));
    drop(open);
    std::thread::sleep(Duration::from_millis(300));
    assert!(serving.get("/api/kinds").is_array());
}

#[test]
fn a_job_is_started_stopped_and_finished() {
    let mut serving = Serving::start();
    let enumerate = json!({ "do": "enumerate", "puzzle": LONG });
    let task = serving.begin(enumerate.clone());
    let row = serving.wait_for_levels();
    assert_eq!(row["task"], task);
    assert_eq!(row["puzzle"], LONG);
    assert_eq!(row["total"], "94143280");
    let (status, _) = serving.ask("DELETE", &format!("/api/tasks/{task}"), None);
    assert_eq!(status, 200);
    let view = serving.ended(task);
    assert_eq!(view["state"], "stopped", "{view}");
    let row = serving.jobs().remove(0);
    assert_eq!(
        (&row["state"], &row["task"]),
        (&json!("stopped"), &json!(null))
    );
    assert!(row["progress"].as_str().unwrap().contains("safe"), "{row}");

    // The end of the server is a stop like any other, and answers who waits.
    let task = serving.begin(enumerate.clone());
    serving.wait_for_levels();
    std::thread::scope(|scope| {
        let host = format!("Host: 127.0.0.1:{}\r\n", serving.port);
        let mut stream = serving.connect();
        let waiting = scope.spawn(move || {
            write!(
                stream,
                "GET /api/tasks/{task}?wait=10000 HTTP/1.1\r\n{host}\r\n"
            )
            .unwrap();
            rest(&mut stream)
        });
        std::thread::sleep(Duration::from_millis(50));
        common::signal(&serving.child, "TERM");
        let answer = waiting.join().unwrap();
        assert!(answer.contains("\"state\":\""), "{answer}");
    });
    let (code, time) = serving.terminate("CONT");
    assert_eq!(code, Some(0));
    assert!(time < Duration::from_secs(5));

    let dir = serving.dir.clone();
    let _own = serving._own.take();
    let serving = Serving::at(&dir);
    // Two on the same directory: each sees what the other does, and does not do it again.
    let other = Serving::at(&dir);
    let task = serving.begin(enumerate.clone());
    let row = other.wait_for_levels();
    assert_eq!(row["task"], json!(null));
    let second = other.ended(other.begin(enumerate));
    if second["state"] == "failed" {
        let why = second["error"].as_str().unwrap();
        assert!(why.contains("being worked on by process"), "{why}");
    }
    let view = serving.ended(task);
    assert_eq!(view["state"], "done", "{view}");
    assert_eq!(view["result"]["state"], "finished");
    assert_eq!(view["result"]["name"], LONG_NAME);

    let line = dir.join("line");
    common::stdout(&["enumerate", LONG, "-q", "--dir", line.to_str().unwrap()]);
    common::assert_same_job(&dir.join("runs").join(LONG_NAME), &line);
    let job = serving.get(&format!("/api/jobs/{LONG_NAME}"));
    assert_eq!(job["rows"].as_array().unwrap().len(), 13);
    assert_eq!(
        job["rows"][12],
        json!({ "level": 12, "classes": "47", "states": "900" })
    );
    let answer = job["answer"].as_str().unwrap();
    assert!(
        answer.starts_with("God's number of wrapslide:6x6:2 is 12 "),
        "{answer}"
    );
    let states = serving.get(&format!("/api/jobs/{LONG_NAME}/states?count=2"));
    assert_eq!(states["classes"], "47");
    assert_eq!(
        states["states"][0],
        "212212/121222/222212/212222/121212/222222"
    );
    let chart = format!("/api/jobs/{LONG_NAME}/chart");
    let pictures = ["", "?by=classes", "?log=1"].map(|query| {
        let (status, picture) = serving.ask_text("GET", &format!("{chart}{query}"), None);
        assert!(status == 200 && picture.contains("<svg"), "{picture}");
        picture
    });
    assert!(pictures[0] != pictures[1] && pictures[0] != pictures[2]);
    assert_eq!(serving.ask("GET", &format!("{chart}?log=x"), None).0, 400);
    let many = serving.get(&format!(
        "/api/jobs/{LONG_NAME}/states?level=9&count=999999"
    ));
    assert_eq!(many["states"].as_array().unwrap().len(), 24);
    for wrong in ["level=13", "level=99999999999", "level=x", "count=-1"] {
        let path = format!("/api/jobs/{LONG_NAME}/states?{wrong}");
        assert_eq!(serving.ask("GET", &path, None).0, 400, "{wrong}");
    }
}

#[test]
fn tasks_are_bounded_and_can_be_stopped() {
    let serving = Serving::start();
    for body in [
        json!({}),
        json!({ "do": "mischief" }),
        json!({ "do": 7 }),
        json!({ "do": "enumerate" }),
        json!({ "do": "enumerate", "puzzle": "nonsense" }),
        json!({ "do": "enumerate", "puzzle": "tiles:4x4" }),
        json!({ "do": "enumerate", "puzzle": "tiles:10x10" }),
        json!({ "do": "enumerate", "puzzle": "klotski:@/etc/passwd" }),
        json!({ "do": "enumerate", "puzzle": "wrapslide:8x8:4" }),
    ] {
        let (status, answer) = serving.post("/api/tasks", body.clone());
        assert_eq!(status, 400, "{body}: {answer}");
    }
    for unknown in ["0", "1", "18446744073709551616", "-1", "x", ""] {
        let path = format!("/api/tasks/{unknown}");
        assert_eq!(serving.ask("GET", &path, None).0, 404, "{unknown}");
        assert_eq!(serving.ask("DELETE", &path, None).0, 404, "{unknown}");
    }
    let begun: Vec<u64> = (0..17)
        .map(|_| serving.begin(json!({ "do": "enumerate", "puzzle": LONG })))
        .collect();
    let (status, answer) = serving.post("/api/tasks", json!({ "do": "enumerate", "puzzle": LONG }));
    assert_eq!(status, 429, "{answer}");
    // Solving does not wait for enumerations.
    let failed = serving.ended(serving.begin(json!({ "do": "solve", "puzzle": "nonsense" })));
    assert_eq!(failed["state"], "failed");
    let rows = serving.get("/api/tasks");
    assert_eq!(rows.as_array().unwrap().len(), 18);
    assert_eq!(rows[0]["do"], "solve");
    assert!(rows[0].get("result").is_none());
    for task in begun.iter().rev() {
        let (status, view) = serving.ask("DELETE", &format!("/api/tasks/{task}"), None);
        assert_eq!(status, 200);
        assert!(*task == begun[0] || view["state"] == "stopped", "{view}");
    }
    assert!(matches!(
        serving.ended(begun[0])["state"].as_str(),
        Some("stopped" | "done")
    ));
    // Only so many are remembered.
    for _ in 0..40 {
        serving.ended(serving.begin(json!({ "do": "solve", "puzzle": "nonsense" })));
    }
    assert_eq!(serving.get("/api/tasks").as_array().unwrap().len(), 32);
}

#[test]
fn damaged_jobs_and_other_folders_are_told_apart() {
    let serving = Serving::start();
    assert_eq!(serving.get("/api/jobs")["jobs"], json!([]));
    let task = serving.begin(json!({ "do": "enumerate", "puzzle": "tiles:2x3" }));
    assert_eq!(serving.ended(task)["state"], "done");
    let runs = serving.dir.join("runs");
    for (folder, file) in [
        ("empty", None),
        ("other", Some("x")),
        ("broken", Some("job.json")),
    ] {
        std::fs::create_dir(runs.join(folder)).unwrap();
        if let Some(file) = file {
            std::fs::write(runs.join(folder).join(file), "{}").unwrap();
        }
    }
    std::fs::write(runs.join("file"), "").unwrap();
    common::stdout(&[
        "sample",
        "tiles:2x2",
        "--count",
        "3",
        "-q",
        "--dir",
        runs.join("sample").to_str().unwrap(),
    ]);
    let jobs = serving.jobs();
    let seen: Vec<_> = jobs
        .iter()
        .map(|job| (&job["name"], &job["state"]))
        .collect();
    let expected =
        [("broken", "damaged"), ("tiles-2x3", "finished")].map(|(a, b)| (json!(a), json!(b)));
    assert_eq!(seen, expected.each_ref().map(|(a, b)| (a, b)));
    assert!(jobs[0]["error"].as_str().unwrap().contains("job.json"));
    assert_eq!(serving.get("/api/jobs/broken")["state"], "damaged");
    assert_eq!(serving.ask("GET", "/api/jobs/broken/states", None).0, 500);
    for name in ["empty", "other", "sample", "file", "tiles-2x3/", ""] {
        let path = format!("/api/jobs/{name}");
        let (status, answer) = serving.ask("GET", &path, None);
        assert_eq!(status, 404, "{name}: {answer}");
    }

    let results = serving.dir.join("results");
    std::fs::create_dir(&results).unwrap();
    std::fs::write(
        results.join("good.csv"),
        "level,classes,states\n0,1,2\n1,3,4\n",
    )
    .unwrap();
    std::fs::write(results.join("bad.csv"), "level,classes,states\n0,1,x\n").unwrap();
    std::fs::write(results.join("other.csv"), "a,b\n").unwrap();
    std::fs::write(results.join("README.md"), "level,classes,states\n").unwrap();
    assert_eq!(serving.get("/api/jobs")["results"], json!(["bad", "good"]));
    let table = serving.get("/api/results/good");
    assert_eq!(
        (&table["classes"], &table["states"]),
        (&json!("4"), &json!("6"))
    );
    assert_eq!(
        table["rows"][1],
        json!({ "level": 1, "classes": "3", "states": "4" })
    );
    let (status, picture) = serving.ask_text("GET", "/api/results/good/chart", None);
    assert!(status == 200 && picture.contains("<svg"), "{picture}");
    assert_eq!(serving.ask("GET", "/api/results/bad", None).0, 500);
    assert_eq!(serving.ask("GET", "/api/results/other", None).0, 404);
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
