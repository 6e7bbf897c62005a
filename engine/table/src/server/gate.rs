//! Who may come in: pages of this very address, and whoever has a link.
//!
//! A browser that shows a page of somebody else must not reach a table: not by a name that points to this machine (the host is compared
//! as a whole), not by a script (so is the origin), not by a frame (the policy forbids it).

use std::fmt::Write as _;
use std::net::SocketAddr;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use super::table::Role;

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

/// The hosts under which a table is reached, and the links to it.
#[derive(Debug, Clone)]
pub struct Gate {
    hosts: Vec<String>,
    keys: Vec<(blake3::Hash, Role)>,
}

impl Gate {
    /// A gate to this address of the machine itself.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        let port = address.port();
        Self { hosts: vec![address.to_string(), format!("localhost:{port}")], keys: Vec::new() }
    }

    /// Makes a link for a role. The secret in it is kept nowhere, only its hash.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn link(&mut self, role: Role) -> Result<String, getrandom::Error> {
        let mut secret = [0_u8; 16];
        getrandom::fill(&mut secret)?;
        let mut token = String::new();
        for byte in secret {
            // Writing to a string does not fail.
            let _ = write!(token, "{byte:02x}");
        }
        self.keys.push((blake3::hash(token.as_bytes()), role));
        Ok(format!("http://{}/#t={token}", self.hosts[0]))
    }

    /// What whoever has this token may do. Hashes are compared in constant time.
    #[must_use]
    pub fn role(&self, token: &str) -> Option<Role> {
        let hash = blake3::hash(token.as_bytes());
        self.keys.iter().find(|(key, _)| *key == hash).map(|(_, role)| *role)
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
