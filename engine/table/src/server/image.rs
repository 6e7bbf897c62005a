//! The images of cards, as the server sends them.
//!
//! The address of an image is a hash of its content: an old address never shows a new image, and no address can be guessed.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use motherlode_files::Image;

/// Images by their displayed paths.
pub type CardImages = BTreeMap<String, Image>;

/// Path of the URL before the hash.
pub const IMAGES: &str = "/images/";

/// Images by the hash of their content.
#[derive(Debug, Clone, Default)]
pub struct ServedImages {
    by_hash: BTreeMap<String, Arc<Image>>,
    /// Hashes by displayed path.
    hashes: BTreeMap<String, String>,
}

impl ServedImages {
    /// Computes the hashes.
    pub fn new(images: CardImages) -> Self {
        let mut served = Self::default();
        for (path, image) in images {
            let hash = blake3::hash(&image.bytes).to_hex().to_string();
            served.by_hash.insert(hash.clone(), Arc::new(image));
            served.hashes.insert(path, hash);
        }
        served
    }

    /// Paths of URLs, by displayed path.
    pub fn addresses(&self) -> BTreeMap<String, String> {
        self.hashes.iter().map(|(path, hash)| (path.clone(), format!("{IMAGES}{hash}"))).collect()
    }

    /// The image with this hash.
    pub fn get(&self, hash: &str) -> Option<Arc<Image>> {
        self.by_hash.get(hash).cloned()
    }
}

/// The response with an image. As a document of its own it can do nothing.
pub fn respond(image: &Image) -> Response {
    let mut response = image.bytes.clone().into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(image.kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    response
}
