//! Hashes everything in files that can change a match.

/// Hashes paths and texts in the order of the paths, without Markdown and `look.toml`, which change no match.
pub(crate) fn hash_files<'f>(files: impl Iterator<Item = (&'f str, &'f str)>) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    let mut files: Vec<_> = files.filter(|(path, _)| !path.ends_with(".md") && !path.ends_with("/look.toml")).collect();
    files.sort_unstable();
    files.iter().flat_map(|(path, text)| [path, text]).for_each(|part| add(&mut hasher, part));
    hasher
}

/// Adds a part with its length, so that two parts never hash like one.
pub(crate) fn add(hasher: &mut blake3::Hasher, part: &str) {
    hasher.update(&(part.len() as u64).to_le_bytes());
    hasher.update(part.as_bytes());
}
