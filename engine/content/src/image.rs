//! Images of definitions: files in the folder `images` beside the TOML files of a layer. No match reads their content.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexMap;
use motherlode_files::read_regular;

use super::diagnostic::suggestion;
use super::document::Table;
use super::limits::MAX_IMAGE;

/// The folder of images.
pub(crate) const IMAGES: &str = "images";

/// Extensions of images.
pub(crate) const ENDINGS: [&str; 4] = ["jpg", "png", "svg", "webp"];

/// An image of a game or a mod.
#[derive(Debug, Clone)]
pub struct ImageFile {
    /// Displayed path: `content/checkers/images/crown.svg`.
    pub path: String,
    pub(crate) content: ImageContent,
}

/// The content of an image, unchecked.
#[derive(Debug, Clone)]
pub(crate) enum ImageContent {
    /// In this file.
    File(PathBuf),
    /// In memory.
    Bytes(Arc<[u8]>),
}

impl ImageFile {
    /// Its content: bytes from an untrusted source.
    ///
    /// # Errors
    /// The file cannot be read, or is larger than a MiB.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        match &self.content {
            ImageContent::File(path) => read_regular(path, MAX_IMAGE),
            ImageContent::Bytes(bytes) => Ok(bytes.to_vec()),
        }
    }
}

/// Whether a file has the extension of an image.
pub(crate) fn is_image(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Reads the key `image` of a kind or a definition: the displayed path of the file.
pub(crate) fn read(table: &Table<'_>, images: &IndexMap<String, String>) -> Option<String> {
    let node = table.get("image")?;
    let name = node.text()?;
    if let Some(path) = images.get(name) {
        return Some(path.clone());
    }
    let (message, help) = if name.contains(['/', '\\']) {
        let help = format!("write the name alone: the file is in the folder `{IMAGES}` beside game.toml");
        (format!("`{name}` for {} is a path, not the name of a file", node.what), Some(help))
    } else if !is_image(name) {
        let help = format!("use a file that ends in .{}", ENDINGS.join(", ."));
        (format!("`{name}` for {} is not an image", node.what), Some(help))
    } else {
        let help = suggestion(name, images.keys().map(String::as_str));
        let help = help.or_else(|| Some(format!("put the file into the folder `{IMAGES}` beside game.toml")));
        (format!("there is no image `{name}` for {}", node.what), help)
    };
    node.fault("missing-image", message, help);
    None
}
