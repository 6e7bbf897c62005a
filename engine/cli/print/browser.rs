//! Prints a page with an installed Chromium or Chrome, without a window and without network.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use base64::Engine as _;
#[cfg(unix)]
use base64::prelude::BASE64_STANDARD;
use motherlode::tools::hidden;
use motherlode_files::reason;
use motherlode_table::print::Paper;
use serde::Deserialize;
#[cfg(unix)]
use serde_json::json;
use tempfile::TempDir;

#[cfg(unix)]
use super::session::Session;
use crate::fault::Fault;
use crate::lab::STOP;

/// Programs to look for.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The variable that names another program.
const VARIABLE: &str = "LODE_BROWSER";

/// Maximum time of one run.
const PATIENCE: Duration = Duration::from_secs(180);

/// Time between two looks at a running browser.
const PAUSE: Duration = Duration::from_millis(20);

/// Options of every run: no window, no network, no traces.
const OPTIONS: [&str; 13] = [
    "--headless=new",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--font-render-hinting=none",
    "--host-resolver-rules=MAP * ~NOTFOUND",
];

/// Pixels of a page at 96 dots per inch.
fn pixels(paper: Paper) -> (f64, f64) {
    let pixels = |millimetres: f64| (millimetres * 96.0 / 25.4).ceil();
    (pixels(paper.width), pixels(paper.height))
}

/// The pictures of a drawn page, taken by one run of the browser.
#[cfg(unix)]
pub struct Pictures<'p> {
    print: &'p Print,
    session: Session,
    /// The report of the page.
    pub report: Report,
}

#[cfg(unix)]
impl<'p> Pictures<'p> {
    fn open(print: &'p Print, paper: Paper, dpi: u16) -> Result<Self, Fault> {
        let draw = || {
            let mut session = Session::start(&print.program, &print.options(), print.create("errors")?, PATIENCE)?;
            let ((width, height), scale) = (pixels(paper), f64::from(dpi) / 96.0);
            let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false });
            session.call("Emulation.setDeviceMetricsOverride", metrics)?;
            session.call("Page.navigate", json!({ "url": address(&print.file("page.html")) }))?;
            session.wait_for("document.getElementById('report') !== null")?;
            let report = session.value("document.getElementById('report').textContent")?;
            let report =
                serde_json::from_str(report.as_str().unwrap_or_default()).map_err(|error| error.to_string())?;
            Ok((session, report))
        };
        let (session, report) = draw().map_err(|why: String| print.run_fault(&why))?;
        Ok(Self { print, session, report })
    }

    /// A picture of a page, from 1.
    ///
    /// # Errors
    /// The browser fails.
    pub fn take(&mut self, page: u64) -> Result<Vec<u8>, Fault> {
        self.capture(page).map_err(|why| self.print.run_fault(&why))
    }

    fn capture(&mut self, page: u64) -> Result<Vec<u8>, String> {
        let show = format!(
            "new Promise((done) => {{ addEventListener('hashchange', () => requestAnimationFrame(() => done(true)), \
             {{ once: true }}); location.hash = '#page={page}'; }})"
        );
        self.session.value(&show)?;
        let taken = self.session.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        BASE64_STANDARD.decode(taken["data"].as_str().unwrap_or_default()).map_err(|error| error.to_string())
    }
}

/// The pictures of a drawn page, each taken by a run of the browser: there are no pipes for more.
#[cfg(not(unix))]
pub struct Pictures<'p> {
    print: &'p Print,
    paper: Paper,
    dpi: u16,
    /// The report of the page.
    pub report: Report,
}

#[cfg(not(unix))]
impl<'p> Pictures<'p> {
    fn open(print: &'p Print, paper: Paper, dpi: u16) -> Result<Self, Fault> {
        Ok(Self { print, paper, dpi, report: print.report()? })
    }

    /// A picture of a page, from 1.
    ///
    /// # Errors
    /// The browser fails.
    pub fn take(&mut self, page: u64) -> Result<Vec<u8>, Fault> {
        let (width, height) = pixels(self.paper);
        let options = vec![
            format!("--window-size={width},{height}").into(),
            format!("--force-device-scale-factor={}", f64::from(self.dpi) / 96.0).into(),
        ];
        self.print.made("page.png", options, "--screenshot=", &format!("#page={page}"))
    }
}

/// An installed browser.
pub struct Browser {
    program: PathBuf,
}

/// A page that a browser prints. Its files are deleted on drop.
pub struct Print {
    program: PathBuf,
    folder: TempDir,
}

/// The report of a drawn page.
#[derive(Debug, Deserialize)]
pub struct Report {
    /// Names of the pages, in order.
    pub pages: Vec<String>,
    /// Ids of the cards whose text is too long.
    pub cramped: Vec<String>,
}

impl Browser {
    /// Finds a browser: the one in `LODE_BROWSER`, or else one in the PATH.
    ///
    /// # Errors
    /// None is installed.
    pub fn find() -> Result<Self, Fault> {
        let paths = env::var_os("PATH").unwrap_or_default();
        let in_path =
            |name: &Path| env::split_paths(&paths).map(|folder| folder.join(name)).find(|file| file.is_file());
        if let Some(named) = env::var_os(VARIABLE).filter(|name| !name.is_empty()) {
            let named = PathBuf::from(named);
            let found =
                if named.components().count() > 1 { named.is_file().then(|| named.clone()) } else { in_path(&named) };
            return found.map(|program| Self { program }).ok_or_else(|| {
                Fault::usage(format!("{VARIABLE} names no program: there is no `{}`", hidden::path(&named)))
            });
        }
        let ending = env::consts::EXE_SUFFIX;
        let found = NAMES.iter().find_map(|name| in_path(Path::new(&format!("{name}{ending}"))));
        found.map(|program| Self { program }).ok_or_else(|| {
            Fault::usage(format!(
                "PDF and PNG need a browser, and there is no {}: install Chromium (on Debian: apt-get install chromium), \
                 name one in {VARIABLE}, or write --out cards.html and print it from any browser",
                NAMES[..3].join(", ")
            ))
        })
    }

    /// Opens a page. Its files lie beside the output, because a packaged browser may see no other folder.
    ///
    /// # Errors
    /// The files cannot be written.
    pub fn open(self, page: &str, beside: Option<&Path>) -> Result<Print, Fault> {
        let beside = beside.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let failed = |error: io::Error| Fault::unwritten(beside, &error);
        let folder = beside.canonicalize().map_err(failed)?;
        let folder = tempfile::Builder::new().prefix("lode-print-").tempdir_in(folder).map_err(failed)?;
        fs::write(folder.path().join("page.html"), page).map_err(failed)?;
        Ok(Print { program: self.program, folder })
    }
}

impl Print {
    /// Draws the page and returns its report.
    ///
    /// # Errors
    /// The browser fails.
    pub fn report(&self) -> Result<Report, Fault> {
        self.run(vec!["--dump-dom".into()], "")?;
        let page = fs::read_to_string(self.file("output")).map_err(|error| self.fault(&reason(&error)))?;
        let start = "<script type=\"application/json\" id=\"report\">";
        let report = page.rsplit_once(start).and_then(|(_, rest)| rest.split_once("</script>"));
        let report = report.and_then(|(report, _)| serde_json::from_str(report).ok());
        report.ok_or_else(|| self.fault("it did not draw the page"))
    }

    /// The pages as PDF.
    ///
    /// # Errors
    /// The browser fails.
    pub fn pdf(&self) -> Result<Vec<u8>, Fault> {
        self.made("pages.pdf", vec!["--no-pdf-header-footer".into()], "--print-to-pdf=", "")
    }

    /// Draws the page for pictures of its pages.
    ///
    /// # Errors
    /// The browser fails.
    pub fn pictures(&self, paper: Paper, dpi: u16) -> Result<Pictures<'_>, Fault> {
        Pictures::open(self, paper, dpi)
    }

    /// Runs the browser, which makes a file.
    fn made(&self, name: &str, mut options: Vec<OsString>, option: &str, fragment: &str) -> Result<Vec<u8>, Fault> {
        let file = self.file(name);
        let mut named = OsString::from(option);
        named.push(&file);
        options.push(named);
        self.run(options, fragment)?;
        let bytes = fs::read(&file).map_err(|_| self.fault(&format!("it wrote no file; {}", self.last_words())))?;
        fs::remove_file(&file).map_err(|error| Fault::unwritten(&file, &error))?;
        Ok(bytes)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn create(&self, name: &str) -> Result<File, String> {
        File::create(self.file(name)).map_err(|error| format!("cannot write `{}`: {}", name, reason(&error)))
    }

    /// The options of every run.
    fn options(&self) -> Vec<OsString> {
        let mut profile = OsString::from("--user-data-dir=");
        profile.push(self.file("profile"));
        let mut options: Vec<OsString> = OPTIONS.iter().map(OsString::from).chain([profile]).collect();
        if is_root(self.folder.path()) {
            // The browser refuses to run as root in its sandbox. The page loads nothing, and its policy allows one script, ours.
            options.push("--no-sandbox".into());
        }
        options
    }

    /// Runs the browser on the page.
    fn run(&self, options: Vec<OsString>, fragment: &str) -> Result<(), Fault> {
        let mut command = Command::new(&self.program);
        command.args(self.options()).args(options);
        command.arg(format!("{}{fragment}", address(&self.file("page.html"))));
        let create = |name: &str| self.create(name).map_err(|why| self.fault(&why));
        command.stdin(Stdio::null()).stdout(create("output")?).stderr(create("errors")?);
        let child = command.spawn().map_err(|error| self.fault(&reason(&error)))?;
        wait(child, PATIENCE).map_err(|why| self.run_fault(&why))
    }

    /// The fault of a run, with the last words of the browser.
    fn run_fault(&self, why: &str) -> Fault {
        self.fault(&format!("{why}; {}", self.last_words()))
    }

    /// The end of the browser's error output.
    fn last_words(&self) -> String {
        let errors = fs::read(self.file("errors")).unwrap_or_default();
        let errors = String::from_utf8_lossy(&errors).into_owned();
        let last = errors.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
        hidden::name(&last.chars().take(300).collect::<String>())
    }

    fn fault(&self, why: &str) -> Fault {
        Fault::failed(format!(
            "the browser `{}` failed: {why}\nname another one in {VARIABLE}, or write --out cards.html and print it from any browser",
            hidden::path(&self.program)
        ))
    }
}

/// Waits for a browser. Ends it after a time, or if the user stops the run.
fn wait(mut child: Child, patience: Duration) -> Result<(), String> {
    let begin = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(status.to_string()),
            Ok(None) if begin.elapsed() < patience && !STOP.load(Ordering::SeqCst) => thread::sleep(PAUSE),
            ended => {
                // It may have ended by itself.
                let _ = child.kill();
                let _ = child.wait();
                return Err(match ended {
                    Err(error) => reason(&error),
                    Ok(_) if STOP.load(Ordering::SeqCst) => "it was stopped".to_owned(),
                    Ok(_) => format!("it did not end within {} s", patience.as_secs()),
                });
            }
        }
    }
}

/// The address of a file: all bytes but letters, digits and a few signs are escaped.
fn address(file: &Path) -> String {
    let path = file.to_string_lossy().replace('\\', "/");
    let mut address = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b':' => {
                address.push(char::from(byte))
            }
            _ => address += &format!("%{byte:02X}"),
        }
    }
    address
}

/// Whether this program runs as root: its new files belong to the user 0.
#[cfg(unix)]
fn is_root(own: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    own.metadata().is_ok_and(|of| of.uid() == 0)
}

#[cfg(not(unix))]
fn is_root(_: &Path) -> bool {
    false
}
