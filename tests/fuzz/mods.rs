//! Damaged example mods: their texts, file names, and archive bytes. A mod is refused with a fault, or it becomes a
//! playable game.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use motherlode::{Mod, Pack};

use super::driver::{Outcomes, Target, fuzz};
use super::mangle::{mangle, mangle_bytes};
use super::packs::load;
use crate::shipped::root;
use crate::twins::SplitMix64;

type Files = Vec<(String, String)>;

struct Mods {
    folder: tempfile::TempDir,
    mods: Vec<Files>,
    zips: Vec<Vec<u8>>,
    packs: Vec<Pack>,
}

/// Collects all files below a folder, with their relative paths.
fn files(folder: &Path, below: &str, into: &mut Files) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = format!("{below}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            files(&path, &format!("{name}/"), into);
        } else {
            into.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
}

fn zip(files: &Files, stored: bool) -> Vec<u8> {
    let method = if stored { zip::CompressionMethod::Stored } else { zip::CompressionMethod::Deflated };
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        // The writer refuses duplicate names. Damage to the bytes covers the reader.
        if zip.start_file(name.as_str(), options).is_ok() {
            zip.write_all(text.as_bytes()).unwrap();
        }
    }
    zip.finish().unwrap().into_inner()
}

/// A changed file name.
fn renamed(path: &str, other: &str, random: &mut SplitMix64) -> String {
    const NAMES: [&str; 14] = [
        "../x.toml",
        "/etc/x.toml",
        "a//b.toml",
        "content/",
        "mod.toml",
        "Mod.TOML",
        "content/\u{202e}.toml",
        "con\\x.toml",
        "c:/x.toml",
        ".hidden/x.toml",
        "scripts/x/lib.luau",
        "a/b/c/d/e/f/g/h/i/j.toml",
        "tests/x/y.luau",
        "content/photon/game.toml",
    ];
    match random.below(4) {
        0 => NAMES[random.below(NAMES.len())].to_owned(),
        1 => path.replacen('/', "/x/", 1),
        2 => other.to_owned(),
        _ => format!("{}{}", "x".repeat(random.below(400)), path),
    }
}

impl Mods {
    fn open(&self, bytes: &[u8]) -> Result<Mod, motherlode::Diagnostics> {
        let path = self.folder.path().join("mod.zip");
        std::fs::write(&path, bytes).unwrap();
        Mod::open(&path)
    }
}

impl Target for Mods {
    const NAME: &'static str = "mods";
    const GENES: std::ops::Range<usize> = 2..6;
    const INPUTS: u64 = 80;

    fn new() -> Self {
        let mut mods = Vec::new();
        let mut folders: Vec<PathBuf> =
            std::fs::read_dir(root().join("tests/mods")).unwrap().map(|entry| entry.unwrap().path()).collect();
        folders.sort();
        for folder in folders {
            let mut of = Files::new();
            files(&folder, "", &mut of);
            mods.push(of);
        }
        let zips = mods.iter().flat_map(|files| [zip(files, true), zip(files, false)]).collect();
        let packs = motherlode::find_packs(root()).unwrap().iter().map(|id| Pack::open(root(), id).unwrap()).collect();
        Self { folder: tempfile::tempdir().unwrap(), mods, zips, packs }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let (&first, rest) = genes.split_first().expect("an input has a gene");
        let mut random = SplitMix64::new(u64::from(first));
        let as_bytes = random.below(3) == 0;
        let read = if as_bytes {
            let mut bytes = self.zips[random.below(self.zips.len())].clone();
            for &gene in rest {
                mangle_bytes(&mut bytes, &mut SplitMix64::new(u64::from(gene)));
            }
            self.open(&bytes)
        } else {
            let mut files = self.mods[random.below(self.mods.len())].clone();
            for &gene in rest {
                let mut random = SplitMix64::new(u64::from(gene));
                let from = if random.below(2) == 0 { &files } else { &self.mods[random.below(self.mods.len())] };
                let (path, text) = from[random.below(from.len())].clone();
                let at = random.below(files.len());
                match random.below(10) {
                    0 => files[at].0 = renamed(&files[at].0, &path, &mut random),
                    1 => files.push((path, text)),
                    _ => files[at].1 = mangle(&files[at].1, &text, &mut random),
                }
            }
            if random.below(4) == 0 { self.open(&zip(&files, true)) } else { Mod::from_files(files) }
        };
        let done = match read {
            Err(faults) if faults.list.is_empty() => Err("refused without a fault".to_owned()),
            Err(faults) => super::packs::check_faults(&faults, seen),
            Ok(read) => match self.packs.iter().find(|pack| pack.id == read.game()) {
                // Undamaged content was already loaded before.
                Some(_) if as_bytes && read.faults().is_empty() => Ok(()),
                Some(pack) => load(&pack.clone().over(vec![read]), u64::from(first), seen),
                None => Ok(()),
            },
        };
        seen.execution();
        done
    }
}

#[test]
fn damaged_mods_are_refused_or_played() {
    fuzz::<Mods>();
}
