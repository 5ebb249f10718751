//! A headless Chromium, driven through WebDriver.

use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything on the page may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What names an element in WebDriver's answers.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A driver and a browser of its own.
pub struct Browser {
    driver: Child,
    /// The address of the session.
    session: String,
    agent: ureq::Agent,
    /// Keeps the browser's profile until the end.
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts one with a window of this size, light or dark; `None` if there is no Chromium.
    ///
    /// A driver or a browser that does not come up on a busy machine is started again. (A driver that chooses its own
    /// port ends at once if another process takes that port for the other IP version.)
    pub fn start(width: u32, height: u32, dark: bool) -> Option<Browser> {
        let is_missing = |program: &str| {
            let found =
                Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            matches!(found, Err(error) if error.kind() == ErrorKind::NotFound)
        };
        if is_missing("chromedriver") || is_missing("chromium") {
            return None;
        }
        for attempt in 0..8 {
            match Browser::try_start(width, height, dark) {
                Ok(browser) => return Some(browser),
                Err(reason) => eprintln!("attempt {attempt} to start a browser: {reason}"),
            }
            std::thread::sleep(Duration::from_millis(500 << attempt.min(3)));
        }
        panic!("no browser could be started");
    }

    /// Starts a driver and a session of it.
    fn try_start(width: u32, height: u32, dark: bool) -> Result<Browser, String> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut lines = BufReader::new(driver.stdout.take().expect("it is piped")).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let port = line.split("started successfully on port ").nth(1)?;
            Some(port.trim_end_matches('.').to_owned())
        });
        let Some(port) = port else {
            let _ = driver.kill();
            return Err(format!("chromedriver ended without a port: {:?}", driver.wait()));
        };
        // What it goes on to say is not read by anybody, and must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let profile = tempfile::tempdir().unwrap();
        let mut arguments = vec![
            "--headless=new".into(),
            "--no-sandbox".into(),
            "--disable-gpu".into(),
            "--disable-quic".into(),
            "--no-first-run".into(),
            "--disable-background-networking".into(),
            "--disable-component-update".into(),
            "--disable-sync".into(),
            "--disable-dev-shm-usage".into(),
            format!("--user-data-dir={}", profile.path().display()),
            format!("--window-size={width},{height}"),
        ];
        if dark {
            arguments.push("--force-dark-mode".into());
        }
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(120)));
        let mut browser = Browser {
            driver,
            session: format!("http://127.0.0.1:{port}/session"),
            agent: config.build().into(),
            _profile: profile,
        };
        let wish = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let (is_success, answer) = browser.answer("", &wish);
        let Some(id) = answer["value"]["sessionId"].as_str().filter(|_| is_success).map(str::to_owned) else {
            return Err(format!("no session: {answer}"));
        };
        browser.session += &format!("/{id}");
        // The viewport itself shall have that size, whatever the window has around it.
        browser.command(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}),
        );
        let scheme = if dark { "dark" } else { "light" };
        browser.command(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
        );
        Ok(browser)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let (is_success, mut value) = self.answer(path, body);
        assert!(is_success, "{path} {body}: {value}");
        value["value"].take()
    }

    fn answer(&self, path: &str, body: &Value) -> (bool, Value) {
        let address = format!("{}{path}", self.session);
        let mut response = match self.agent.post(&address).send_json(body) {
            Ok(response) => response,
            Err(error) => return (false, json!({"value": {"error": error.to_string()}})),
        };
        let value = response.body_mut().read_json().unwrap();
        (response.status().is_success(), value)
    }

    /// Clicks what `find` finds; once more if the page replaced it in between.
    fn click_found(&self, find: impl Fn() -> Value) {
        for _ in 0..20 {
            let element = find();
            let path = format!("/element/{}/click", element[ELEMENT].as_str().unwrap());
            let (is_success, answer) = self.answer(&path, &json!({}));
            if is_success {
                return;
            }
            assert_eq!(answer["value"]["error"], "stale element reference", "{path}: {answer}");
        }
        panic!("the page replaces what is clicked all the time");
    }

    /// A command of the DevTools.
    fn command(&self, name: &str, parameters: Value) {
        self.post("/goog/cdp/execute", &json!({"cmd": name, "params": parameters}));
    }

    /// Goes to an address.
    pub fn open(&self, address: &str) {
        self.post("/url", &json!({"url": address}));
    }

    /// Another tab, which is looked at from now on; returns the tab before, to come back to.
    pub fn another_tab(&self) -> Value {
        let address = format!("{}/window", self.session);
        let mut answer = self.agent.get(&address).call().unwrap();
        let mut before: Value = answer.body_mut().read_json().unwrap();
        let tab = self.post("/window/new", &json!({"type": "tab"}));
        self.turn_to(&tab["handle"]);
        before["value"].take()
    }

    /// Looks at a tab.
    pub fn turn_to(&self, tab: &Value) {
        self.post("/window", &json!({"handle": tab}));
    }

    /// One step back in the history.
    pub fn back(&self) {
        self.post("/back", &json!({}));
    }

    /// Loads the page again.
    pub fn reload(&self) {
        self.post("/refresh", &json!({}));
    }

    /// What a piece of JavaScript returns; it may wait for a promise.
    pub fn evaluate(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// From now on, until the page is loaded again, the server's answers to requests for `path` are late.
    pub fn answer_late(&self, path: &str) {
        self.evaluate(&format!(
            "const quick = window.fetch; window.fetch = (url, request) => url !== {} ? quick(url, request) \
             : new Promise((later) => setTimeout(() => later(quick(url, request)), 400));",
            json!(path)
        ));
    }

    /// What a piece of JavaScript hands to `done(value)` some time later.
    pub fn evaluate_later(&self, script: &str) -> Value {
        let script = format!("const done = arguments[0]; {script}");
        self.post("/execute/async", &json!({"script": script, "args": []}))
    }

    /// Waits until a JavaScript expression is true.
    pub fn wait(&self, expression: &str) {
        let script = format!("return Boolean({expression});");
        let began = Instant::now();
        while self.evaluate(&script) != json!(true) {
            if began.elapsed() > PATIENCE {
                let seen = self.evaluate("return document.querySelector('main')?.innerText");
                panic!("it never came true: {expression}\nthe page says:\n{seen}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn element(&self, selector: &str) -> Value {
        self.wait(&format!("document.querySelector({})", json!(selector)));
        self.post("/element", &json!({"using": "css selector", "value": selector}))
    }

    /// Clicks the first element that a selector finds, as a mouse does.
    pub fn click(&self, selector: &str) {
        self.click_found(|| self.element(selector));
    }

    /// Clicks the button with this text, once it can be pressed.
    pub fn press(&self, text: &str) {
        let find = format!(
            "[...document.querySelectorAll('main button')].find((b) => b.textContent === {} && !b.disabled \
             && b.offsetParent)",
            json!(text)
        );
        self.wait(&find);
        self.click_found(|| self.evaluate(&format!("return {find};")));
    }

    /// Types keys into what has the focus: characters, or the code points of WebDriver's keys.
    pub fn keys(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key})))
            .collect();
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}));
    }

    /// Drags from one place of the window to another, by mouse or by finger.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64), pointer: &str) {
        let go = |(x, y): (f64, f64), duration: u32| json!({"type": "pointerMove", "duration": duration, "x": x as i64, "y": y as i64, "origin": "viewport"});
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let actions = [
            go(from, 0),
            json!({"type": "pointerDown", "button": 0}),
            go(middle, 60),
            go(to, 60),
            json!({"type": "pause", "duration": 30}),
            json!({"type": "pointerUp", "button": 0}),
        ];
        let source = json!({"type": "pointer", "id": pointer,
            "parameters": {"pointerType": pointer}, "actions": actions});
        self.post("/actions", &json!({"actions": [source]}));
    }

    /// The middle of an element in the window, which is scrolled to it.
    pub fn middle(&self, selector: &str) -> (f64, f64) {
        self.wait(&format!("document.querySelector({})", json!(selector)));
        let at = self.evaluate(&format!(
            "const e = document.querySelector({}); const inside = () => {{ const r = e.getBoundingClientRect(); \
             return r.top >= 0 && r.bottom <= innerHeight; }}; if (!inside()) e.scrollIntoView({{block: 'center'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2];",
            json!(selector)
        ));
        (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
    }

    /// The text of the first element that a selector finds.
    pub fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({})?.textContent ?? '';", json!(selector));
        self.evaluate(&script).as_str().unwrap_or_default().to_owned()
    }

    /// What the browser complained about: errors of scripts, what its policy refused, what was not found. That the
    /// server refused something in words is not a complaint.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({"type": "browser"}));
        let entries = log.as_array().cloned().unwrap_or_default();
        let messages =
            entries.iter().filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING");
        let messages = messages.map(|entry| entry["message"].to_string());
        messages.filter(|message| !message.contains("status of 400")).collect()
    }

    /// Keeps a picture of what is seen.
    pub fn picture(&self, file: &Path) {
        let address = format!("{}/screenshot", self.session);
        let mut response = self.agent.get(&address).call().unwrap();
        let value: Value = response.body_mut().with_config().limit(50 << 20).read_json().unwrap();
        std::fs::write(file, decode(value["value"].as_str().unwrap())).unwrap();
    }
}

/// Base 64.
fn decode(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for digit in text.bytes().filter_map(|c| DIGITS.iter().position(|&d| d == c)) {
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
