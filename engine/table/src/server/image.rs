//! The images of cards, as the server sends them.
//!
//! The address of an image is a hash of its content: an old address never shows a new image, and no address can be guessed.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use motherlode_files::{Image, Images};

/// Path of the URL before the hash.
const IMAGES: &str = "/images/";

/// Images by the hash of their content.
pub type ServedImages = BTreeMap<String, Arc<Image>>;

/// Computes the hashes of images, and the paths of their URLs by displayed path.
pub fn serve(images: Images) -> (ServedImages, BTreeMap<String, String>) {
    let (mut served, mut addresses) = (ServedImages::new(), BTreeMap::new());
    for (path, image) in images {
        let hash = blake3::hash(&image.bytes).to_hex().to_string();
        addresses.insert(path, format!("{IMAGES}{hash}"));
        served.insert(hash, Arc::new(image));
    }
    (served, addresses)
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
