//! Access control: only pages of this address, and only with a link.
//!
//! A foreign page must not reach a table: not through a name that resolves to this machine (the host must match
//! exactly), not through a script (so must the origin), and not through a frame (the policy forbids it).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::SocketAddr;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use serde::{Deserialize, Serialize};

use super::client::Role;

/// Security headers of every response: no inline code or style, no external resources, no sniffing of content types.
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

/// The hash of a link's secret. The secret itself is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct LinkHash([u8; 32]);

/// The accepted hosts and links.
#[derive(Debug, Clone)]
pub struct Gate {
    hosts: Vec<String>,
    keys: BTreeMap<LinkHash, (u32, Role)>,
}

impl LinkHash {
    /// Hashes a secret.
    #[must_use]
    pub fn of(secret: &str) -> Self {
        Self(*blake3::hash(secret.as_bytes()).as_bytes())
    }
}

impl From<LinkHash> for String {
    fn from(key: LinkHash) -> Self {
        blake3::Hash::from(key.0).to_hex().to_string()
    }
}

impl TryFrom<String> for LinkHash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        blake3::Hash::from_hex(&text).map(|hash| Self(*hash.as_bytes())).map_err(|_| format!("`{text}` is not a hash"))
    }
}

impl Gate {
    /// A gate for a local address.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        let port = address.port();
        Self { hosts: vec![address.to_string(), format!("localhost:{port}")], keys: BTreeMap::new() }
    }

    /// Creates a link to a match for a role. Only the hash of its secret is stored.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn link(&mut self, of: u32, role: Role) -> Result<String, getrandom::Error> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes)?;
        let mut secret = String::new();
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(secret, "{byte:02x}");
        }
        self.know(LinkHash::of(&secret), of, role);
        Ok(format!("http://{}/#t={secret}", self.hosts[0]))
    }

    /// Accepts a link from an earlier run.
    pub fn know(&mut self, key: LinkHash, of: u32, role: Role) {
        self.keys.insert(key, (of, role));
    }

    /// All links: hash, match and role.
    pub fn keys(&self) -> impl Iterator<Item = (LinkHash, u32, Role)> {
        self.keys.iter().map(|(&key, &(of, role))| (key, of, role))
    }

    /// The match and the role of a secret. Comparing hashes reveals nothing about the secret through timing.
    #[must_use]
    pub fn role(&self, secret: &str) -> Option<(u32, Role)> {
        self.keys.get(&LinkHash::of(secret)).copied()
    }

    /// Checks that a request comes from a page of this address.
    ///
    /// # Errors
    /// The HTTP status of the refusal.
    pub fn admit(&self, request: &Request) -> Result<(), StatusCode> {
        let headers = request.headers();
        let host = only(headers, header::HOST).ok_or(StatusCode::BAD_REQUEST)?;
        if request.uri().authority().is_some() || !self.hosts.iter().any(|one| one == host) {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        let origin = headers.contains_key(header::ORIGIN).then(|| only(headers, header::ORIGIN));
        let own = format!("http://{host}");
        // Only a page opens a socket, so an origin must be present.
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

/// The value of a header that occurs exactly once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().filter(|_| values.next().is_none())?;
    HeaderValue::to_str(first).ok()
}
