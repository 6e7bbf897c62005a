//! Hashes of lists of names.

use crate::seeds::mix;

/// Hash of all names in order, in hexadecimal. Value files and networks hold it, so it never changes.
pub fn names_hash<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let fold = |hash: u64, name: &str| {
        let start = mix(hash, name.len() as u64);
        name.bytes().fold(start, |hash, byte| mix(hash, byte.into()))
    };
    format!("{:016x}", names.into_iter().fold(0, fold))
}
