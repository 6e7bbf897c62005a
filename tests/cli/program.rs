use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of a run of the program.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Asserts the exit code.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "output:\n{}\nerrors:\n{}", self.out, self.err);
        self
    }

    /// Asserts that the output contains this text.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.out.contains(text), "`{text}` is not in the output:\n{}\nerrors:\n{}", self.out, self.err);
        self
    }

    /// Asserts that the output does not contain this text.
    #[track_caller]
    pub fn keeps_quiet_about(self, text: &str) -> Self {
        assert!(!self.out.contains(text), "`{text}` is in the output:\n{}", self.out);
        self
    }

    /// Asserts that the error output contains this text.
    #[track_caller]
    pub fn complains(self, text: &str) -> Self {
        assert!(self.err.contains(text), "`{text}` is not in the errors:\n{}\noutput:\n{}", self.err, self.out);
        self
    }
}

/// The folder with the test games.
pub fn packs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/packs")
}

/// A folder with one game full of mistakes.
pub fn broken() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/broken")
}

/// Runs `lode` on the test games without input.
pub fn lode(arguments: &[&str]) -> Run {
    lode_with(arguments, "")
}

/// Runs `lode` on the test games with this input.
pub fn lode_with(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    run(&packs(), arguments, input.as_ref())
}

/// Runs `lode` in a folder.
pub fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Run {
    run_program(Command::new(env!("CARGO_BIN_EXE_lode")), folder, arguments, input)
}

/// Runs any program, such as a copy of `lode`, in a folder.
pub fn run_program(mut program: Command, folder: &Path, arguments: &[&str], input: &[u8]) -> Run {
    let mut child = program
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A program that has ended closes its input early. The exit code judges the run.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
