//! Who may come in: pages of this very address, and whoever has a link.
//!
//! A browser that shows a page of somebody else must not reach a table: not by a name that points to this machine (the host is compared
//! as a whole), not by a script (so is the origin), not by a frame (the policy forbids it).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::SocketAddr;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use serde::{Deserialize, Serialize};

use super::client::Role;

/// What goes with every answer. No code and no style within a page, nothing from elsewhere, and text is never read as a page.
pub const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// What is kept of a secret: its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Key([u8; 32]);

/// The hosts under which a table is reached, and the links to it.
#[derive(Debug, Clone)]
pub struct Gate {
    hosts: Vec<String>,
    keys: BTreeMap<Key, (u32, Role)>,
}

impl Key {
    /// The key that fits a secret.
    #[must_use]
    pub fn of(secret: &str) -> Self {
        Self(*blake3::hash(secret.as_bytes()).as_bytes())
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        blake3::Hash::from(key.0).to_hex().to_string()
    }
}

impl TryFrom<String> for Key {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        blake3::Hash::from_hex(&text).map(|hash| Self(*hash.as_bytes())).map_err(|_| format!("`{text}` is no hash"))
    }
}

impl Gate {
    /// A gate to this address of the machine itself.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        let port = address.port();
        Self { hosts: vec![address.to_string(), format!("localhost:{port}")], keys: BTreeMap::new() }
    }

    /// Makes a link to a match for a role. The secret in it is kept nowhere, only its hash.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn link(&mut self, of: u32, role: Role) -> Result<String, getrandom::Error> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes)?;
        let mut secret = String::new();
        for byte in bytes {
            // Writing to a string does not fail.
            let _ = write!(secret, "{byte:02x}");
        }
        self.know(Key::of(&secret), of, role);
        Ok(format!("http://{}/#t={secret}", self.hosts[0]))
    }

    /// Knows a link again.
    pub fn know(&mut self, key: Key, of: u32, role: Role) {
        self.keys.insert(key, (of, role));
    }

    /// All links: what is kept of the secret, the match, and the role.
    pub fn keys(&self) -> impl Iterator<Item = (Key, u32, Role)> {
        self.keys.iter().map(|(&key, &(of, role))| (key, of, role))
    }

    /// The match, and what whoever has this secret may do there. Hashes are compared: how long that takes says nothing about the secret.
    #[must_use]
    pub fn role(&self, secret: &str) -> Option<(u32, Role)> {
        self.keys.get(&Key::of(secret)).copied()
    }

    /// Whether a request comes from a page of this address.
    ///
    /// # Errors
    /// The status that refuses it.
    pub fn admit(&self, request: &Request) -> Result<(), StatusCode> {
        let headers = request.headers();
        let host = only(headers, header::HOST).ok_or(StatusCode::BAD_REQUEST)?;
        if request.uri().authority().is_some() || !self.hosts.iter().any(|one| one == host) {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        let origin = headers.contains_key(header::ORIGIN).then(|| only(headers, header::ORIGIN));
        let own = format!("http://{host}");
        // A socket is opened by a page, so it has an origin.
        let socket = headers.contains_key(header::UPGRADE);
        if origin.map_or(socket, |origin| origin != Some(own.as_str())) {
            return Err(StatusCode::FORBIDDEN);
        }
        if request.method() != Method::GET {
            return Err(StatusCode::METHOD_NOT_ALLOWED);
        }
        Ok(())
    }
}

/// The value of a header that is there once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().filter(|_| values.next().is_none())?;
    HeaderValue::to_str(first).ok()
}
