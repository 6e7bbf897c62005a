//! Tabs of one headless browser, driven by the developer tools protocol.
//!
//! All tests share one browser process, because its start costs more than most tests. Each tab has a browser context
//! of its own: neither storage nor cookies of another.

use std::fs;
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Maximum wait for any operation.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts an installed browser. Ends it and deletes its profile `$0` when the input ends: with the process of the tests.
const SHELL: &str = r#"for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
    if command -v "$name" >&2; then
        "$name" "$@" --user-data-dir="$0" &
        read -r
        kill "$!"
        wait "$!"
        rm -rf "$0"
        exit
    fi
done"#;

/// The browser of all tests; `None`: no browser is installed.
static BROWSER: LazyLock<Option<Browser>> = LazyLock::new(Browser::start);

struct Browser {
    /// Host and port of the developer tools.
    host: String,
    /// The connection to the browser as a whole, which opens and closes tabs.
    whole: Mutex<Wire>,
    /// Open as long as the tests run.
    _input: ChildStdin,
}

impl Browser {
    fn start() -> Option<Self> {
        let profile = tempfile::tempdir().unwrap().keep();
        let mut shell = Command::new("bash")
            .args(["-c", SHELL])
            .arg(&profile)
            // Containers cannot run the browser's own sandbox.
            .args(["--headless=new", "--no-sandbox", "--force-prefers-reduced-motion", "--disable-gpu"])
            .args(["--remote-debugging-port=0", "--no-first-run", "--disable-background-networking"])
            // No tab is less important than another.
            .args(["--disable-background-timer-throttling", "--disable-renderer-backgrounding"])
            .args(["--disable-backgrounding-occluded-windows", "about:blank"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let port = profile.join("DevToolsActivePort");
        let found = until("the browser does not start", || {
            let text = fs::read_to_string(&port).ok().filter(|text| text.lines().count() >= 2);
            text.map(Some).or_else(|| has_ended(&mut shell).then_some(None))
        });
        let Some(found) = found else {
            // An empty folder.
            let _ = fs::remove_dir(&profile);
            return None;
        };
        let (port, path) = found.split_once('\n').unwrap();
        let host = format!("127.0.0.1:{port}");
        let whole = Mutex::new(Wire::new(&host, path.trim()));
        Some(Self { host, whole, _input: shell.stdin.take().unwrap() })
    }

    /// Calls a method of the browser as a whole.
    fn call(&self, method: &str, params: &Value) -> Value {
        self.whole.lock().unwrap().call(method, params)
    }
}

fn has_ended(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_some()
}

/// A connection to the browser or to a tab.
struct Wire {
    socket: WebSocket<TcpStream>,
    next: u64,
    complaints: Vec<String>,
}

impl Wire {
    fn new(host: &str, path: &str) -> Self {
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://{host}{path}"), stream).unwrap();
        Self { socket, next: 0, complaints: Vec::new() }
    }

    fn send(&mut self, method: &str, params: &Value) -> tungstenite::Result<()> {
        self.next += 1;
        let message = json!({ "id": self.next, "method": method, "params": params });
        self.socket.send(Message::text(message.to_string()))
    }

    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.send(method, params).unwrap();
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

pub struct Tab {
    browser: &'static Browser,
    /// The browser context, which ends with the tab.
    context: Value,
    wire: Wire,
}

impl Tab {
    /// A new tab of an installed browser; `None`: no browser is installed.
    pub fn open() -> Option<Self> {
        let browser = BROWSER.as_ref()?;
        let context = browser.call("Target.createBrowserContext", &json!({}))["browserContextId"].take();
        let tab = json!({ "url": "about:blank", "browserContextId": context });
        let target = browser.call("Target.createTarget", &tab)["targetId"].take();
        let wire = Wire::new(&browser.host, &format!("/devtools/page/{}", target.as_str().unwrap()));
        let mut tab = Self { browser, context, wire };
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            tab.call(domain, &json!({}));
        }
        // Each tab behaves as the one in front.
        tab.call("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
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
        std::mem::take(&mut self.wire.complaints)
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
        self.wire.call(method, params)
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        // A test that fails has its own message. The next call skips the answer.
        if let Ok(mut whole) = self.browser.whole.lock() {
            let _ = whole.send("Target.disposeBrowserContext", &json!({ "browserContextId": self.context }));
        }
    }
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
