//! Writes the pages in the format that the name of the output asks for.

use std::fs;
use std::path::{Path, PathBuf, is_separator};

use motherlode::tools::hidden;
use motherlode_content::is_name;
use motherlode_files::reason;
use motherlode_table::paint;
use motherlode_table::print::Paper;

use super::browser::Browser;
use crate::fault::{Fault, remedy};
use crate::lab::LabProgress;
use crate::output::Output;

/// An output of `lode print`, checked before the work begins.
pub enum Target {
    /// One page for any browser.
    Html(Output, PathBuf),
    /// One file.
    Pdf(Output, PathBuf, Browser),
    /// A folder with a picture of each page.
    Png(PathBuf, bool, Browser),
}

/// The result of writing.
pub struct WriteReport {
    /// The files in words.
    pub files: String,
    /// Ids of the cards whose text is too long; empty for HTML, where the page itself reports them.
    pub cramped: Vec<String>,
}

impl Target {
    /// Finds the format and checks that it can be written.
    ///
    /// # Errors
    /// The format is unknown, a file exists, or there is no browser for the format.
    pub fn open(path: &Path, force: bool) -> Result<Self, Fault> {
        let is_folder = path.is_dir() || path.as_os_str().to_string_lossy().ends_with(is_separator);
        if is_folder {
            check_folder(path, force)?;
            return Ok(Self::Png(path.to_path_buf(), force, Browser::find()?));
        }
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("html" | "htm") => Ok(Self::Html(Output::new(path, force)?, path.to_path_buf())),
            Some("pdf") => Ok(Self::Pdf(Output::new(path, force)?, path.to_path_buf(), Browser::find()?)),
            _ => Err(Fault::usage(format!(
                "`{}` is neither .html nor .pdf nor a folder: name such a file, or a folder for PNG files as in png/",
                hidden::path(path)
            ))),
        }
    }

    /// Writes a page.
    ///
    /// # Errors
    /// A file cannot be written, or the browser fails.
    pub fn write(self, page: &str, paper: Paper, dpi: u16) -> Result<WriteReport, Fault> {
        match self {
            Self::Html(output, path) => {
                output.write_text(page)?;
                Ok(WriteReport { files: hidden::path(&path), cramped: Vec::new() })
            }
            Self::Pdf(output, path, browser) => {
                let mut progress = LabProgress::new(2, "steps");
                let print = browser.open(page, path.parent())?;
                let report = print.report()?;
                progress.done(1);
                let bytes = print.pdf()?;
                progress.finish();
                output.write(|file| file.write_all(&bytes))?;
                let pages = paint::plural(report.pages.len(), "page");
                Ok(WriteReport { files: format!("{} ({pages})", hidden::path(&path)), cramped: report.cramped })
            }
            Self::Png(folder, force, browser) => {
                fs::create_dir_all(&folder).map_err(|error| Fault::unwritten(&folder, &error))?;
                let print = browser.open(page, Some(&folder))?;
                let mut pictures = print.pictures(paper, dpi)?;
                let pages = pictures.report.pages.iter();
                let names: Vec<PathBuf> = pages.map(|name| folder.join(format!("{name}.png"))).collect();
                for name in &names {
                    Output::new(name, force)?;
                }
                let mut progress = LabProgress::new(names.len() as u64, "pages");
                for (name, at) in names.iter().zip(1..) {
                    let bytes = pictures.take(at)?;
                    Output::new(name, force)?.write(|file| file.write_all(&bytes))?;
                    progress.done(at);
                }
                progress.finish();
                let removed = remove_old(&folder, &names)?;
                let mut files = format!("{} to {}", paint::plural(names.len(), "PNG file"), hidden::path(&folder));
                if removed > 0 {
                    files += &format!(", and removed {} of an earlier print", paint::plural(removed, "picture"));
                }
                Ok(WriteReport { files, cramped: pictures.report.cramped.clone() })
            }
        }
    }
}

/// Checks a folder for pictures: other pictures in it would mix with the new ones.
fn check_folder(folder: &Path, force: bool) -> Result<(), Fault> {
    let shown = hidden::path(folder);
    if !folder.exists() {
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if parent.is_dir() {
            return Ok(());
        }
        return Err(Fault::usage(format!("cannot write `{shown}`: there is no folder `{}`", hidden::path(parent))));
    }
    let files = fs::read_dir(folder)
        .map_err(|error| Fault::usage(format!("cannot write `{shown}`: {}{}", reason(&error), remedy(&error))))?;
    let is_picture =
        |file: &fs::DirEntry| Path::new(&file.file_name()).extension().is_some_and(|ending| ending == "png");
    if !force && files.flatten().any(|file| is_picture(&file)) {
        return Err(Fault::usage(format!(
            "`{shown}` has pictures: overwrite them with --force, or name another folder"
        )));
    }
    Ok(())
}

/// Removes the pictures of an earlier print that the new one does not have; returns their number.
fn remove_old(folder: &Path, names: &[PathBuf]) -> Result<usize, Fault> {
    let files = fs::read_dir(folder).map_err(|error| Fault::unwritten(folder, &error))?;
    let old = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        path.is_file() && !names.contains(path) && name.is_some_and(is_picture_of_page)
    };
    let old: Vec<PathBuf> = files.flatten().map(|file| folder.join(file.file_name())).filter(old).collect();
    for path in &old {
        fs::remove_file(path)
            .map_err(|error| Fault::failed(format!("cannot remove `{}`: {}", hidden::path(path), reason(&error))))?;
    }
    Ok(old.len())
}

/// Whether a file has a name that the pages give their pictures.
fn is_picture_of_page(name: &str) -> bool {
    let is_number = |text: &str| text.len() >= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((kind, rest)) = name.strip_suffix(".png").and_then(|name| name.split_once('-')) else { return false };
    match kind {
        "sheet" | "tokens" => {
            rest.split_once('-').is_some_and(|(number, side)| is_number(number) && ["front", "back"].contains(&side))
        }
        "rules" => is_number(rest),
        "board" => is_name(rest),
        _ => false,
    }
}
