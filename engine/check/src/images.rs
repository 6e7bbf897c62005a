//! The images of cards: read once, checked, and made safe to draw.

use std::collections::BTreeSet;

use motherlode::declare::Declarations;
use motherlode::{Diagnostic, Pack};
use motherlode_files::{Image, Images, reason};

/// Reads the images that definitions name. An image that cannot be drawn is a fault (code `bad-image`), and left out.
pub(crate) fn card_images(pack: &Pack, declarations: &Declarations) -> (Images, Vec<Diagnostic>) {
    let used: BTreeSet<&str> = declarations.definitions.iter().filter_map(|one| one.image.as_deref()).collect();
    let (mut images, mut faults) = (Images::new(), Vec::new());
    for file in pack.images().filter(|file| used.contains(file.path.as_str())) {
        let read = file.read().map_err(|error| reason(&error)).and_then(|bytes| Image::read(&file.path, bytes));
        match read {
            Ok(image) => drop(images.insert(file.path.clone(), image)),
            Err(reason) => faults.push(Diagnostic::of_file("bad-image", file.path.clone(), reason)),
        }
    }
    (images, faults)
}
