//! A headless browser tab, driven by the developer tools protocol.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// Names of installed browsers of this family.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Maximum wait for any operation.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Tab {
    browser: Child,
    /// The browser profile, deleted on drop.
    _profile: TempDir,
    socket: WebSocket<TcpStream>,
    next: u64,
    complaints: Vec<String>,
}

impl Tab {
    /// A tab of an installed browser; `None`: no browser is installed.
    pub fn open() -> Option<Self> {
        let profile = tempfile::tempdir().unwrap();
        let browser = NAMES.iter().find_map(|name| start(name, profile.path()))?;
        let port = profile.path().join("DevToolsActivePort");
        let port = until("the browser does not start", || {
            fs::read_to_string(&port).ok().filter(|text| text.lines().count() >= 2)
        });
        let host = format!("127.0.0.1:{}", port.lines().next().unwrap());
        let url = until("the browser has no tab", || page(&host));
        let stream = TcpStream::connect(&host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(url, stream).unwrap();
        let mut tab = Self { browser, _profile: profile, socket, next: 0, complaints: Vec::new() };
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            tab.call(domain, &json!({}));
        }
        Some(tab)
    }

    pub fn go(&mut self, url: &str) {
        // A change of the fragment alone would not load a new page.
        self.call("Page.navigate", &json!({ "url": "about:blank" }));
        self.call("Page.navigate", &json!({ "url": url }));
    }

    /// The value of a text expression.
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression}: {value}")).to_owned()
    }

    pub fn wait_for(&mut self, condition: &str) {
        until(condition, || (self.value(condition) == true).then_some(()));
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: &str) {
        let (text, code) = match key {
            "Enter" => ("\r", 13),
            "Escape" => ("", 27),
            key if key.chars().count() == 1 => (key, 0),
            _ => ("", 0),
        };
        self.call(
            "Input.dispatchKeyEvent",
            &json!({ "type": "keyDown", "key": key, "text": text, "windowsVirtualKeyCode": code }),
        );
        self.call("Input.dispatchKeyEvent", &json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }));
    }

    /// Clicks with the mouse in the middle of an element.
    pub fn click(&mut self, selector: &str) {
        let middle = format!(
            "(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect(); \
             return `${{box.x + box.width / 2}} ${{box.y + box.height / 2}}`; }})()"
        );
        let middle = self.text(&middle);
        let (x, y) = middle.split_once(' ').unwrap();
        self.click_at(x.parse().unwrap(), y.parse().unwrap());
    }

    /// Clicks with the mouse at a point of the window, and takes the mouse away: a card under it covers its neighbours.
    pub fn click_at(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", &event);
        }
        self.call("Input.dispatchMouseEvent", &json!({ "type": "mouseMoved", "x": 1, "y": 1 }));
    }

    /// Lets the window have a touch screen and no mouse.
    pub fn touch_only(&mut self) {
        self.call("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true, "maxTouchPoints": 1 }));
    }

    /// Touches a point of the window for a moment.
    pub fn tap(&mut self, x: f64, y: f64) {
        let points = json!([{ "x": x, "y": y }]);
        self.call("Input.dispatchTouchEvent", &json!({ "type": "touchStart", "touchPoints": points }));
        self.call("Input.dispatchTouchEvent", &json!({ "type": "touchEnd", "touchPoints": [] }));
    }

    /// Sets the page's size and colour scheme.
    pub fn resize(&mut self, width: u32, height: u32, dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", &size);
        let scheme = if dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", &features);
    }

    /// A screenshot as `png` or `webp`.
    pub fn picture(&mut self, format: &str) -> Vec<u8> {
        let mut how = json!({ "format": format });
        if format == "webp" {
            how["quality"] = 80.into();
        }
        decode(self.call("Page.captureScreenshot", &how)["data"].as_str().unwrap())
    }

    /// Runs a script that is not part of the page.
    pub fn run(&mut self, script: &str) {
        self.value(&format!("{{ {script}\n }} 0"));
    }

    /// Errors and warnings in the console.
    pub fn complaints(&mut self) -> Vec<String> {
        self.value("0");
        std::mem::take(&mut self.complaints)
    }

    fn value(&mut self, expression: &str) -> Value {
        let result = self.call(
            "Runtime.evaluate",
            &json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        );
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let message = json!({ "id": self.next, "method": method, "params": params });
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let mut heard: Value = serde_json::from_str(&text).unwrap();
            if heard["id"] == self.next {
                assert!(heard["error"].is_null(), "{method}: {heard}");
                return heard["result"].take();
            }
            self.note(&heard);
        }
    }

    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        let complaint = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Log.entryAdded") => params["entry"]["level"] == "error",
            Some("Runtime.consoleAPICalled") => params["type"] == "error" || params["type"] == "warning",
            _ => false,
        };
        if complaint {
            self.complaints.push(params.to_string());
        }
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}

fn start(name: &str, profile: &Path) -> Option<Child> {
    Command::new(name)
        // Containers cannot run the browser's own sandbox.
        .args([
            "--headless=new",
            "--no-sandbox",
            "--force-prefers-reduced-motion",
            "--disable-gpu",
            "--remote-debugging-port=0",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg("about:blank")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()
}

/// The address of the first page. The browser keeps the connection open, so the answer's length comes from its header.
fn page(host: &str) -> Option<String> {
    let mut stream = TcpStream::connect(host).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    write!(stream, "GET /json HTTP/1.1\r\nHost: {host}\r\n\r\n").ok()?;
    let mut answer = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        answer.read_line(&mut line).ok()?;
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok()?,
            None if line.trim_end().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    answer.read_exact(&mut body).ok()?;
    let list: Value = serde_json::from_slice(&body).ok()?;
    let page = list.as_array()?.iter().find(|one| one["type"] == "page")?;
    Some(page["webSocketDebuggerUrl"].as_str()?.to_owned())
}

fn until<T>(what: &str, mut test: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = test() {
            return found;
        }
        assert!(begin.elapsed() < PATIENCE, "timed out: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Decodes Base64.
fn decode(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values = text.bytes().filter_map(|byte| LETTERS.iter().position(|&letter| letter == byte));
    let values: Vec<u32> = values.map(|value| u32::try_from(value).unwrap()).collect();
    let mut bytes = Vec::new();
    for four in values.chunks(4) {
        let all = four.iter().enumerate().map(|(at, value)| value << (18 - 6 * at)).sum::<u32>();
        bytes.extend(&all.to_be_bytes()[1..four.len()]);
    }
    bytes
}
