//! boardgame.io as its guide has it: its own server, which keeps matches in memory. npm fetches it into a folder that goes away.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::load::Load;
use crate::seat::Language;
use crate::server::Server;

/// What is installed: the version that was measured last. With a newer koa-compose its server finds no path of its own.
const PACKAGES: [&str; 2] = ["boardgame.io@0.50.2", "koa-compose@4.1.0"];

/// The server with as many matches; `None`: there is no npm, or it fetches nothing.
pub fn start(load: &Load, folder: &Path) -> io::Result<Option<Server>> {
    let folder = folder.join("boardgame_io");
    fs::create_dir_all(&folder)?;
    for (name, text) in
        [("game.mjs", include_str!("boardgame_io/game.mjs")), ("server.mjs", include_str!("boardgame_io/server.mjs"))]
    {
        fs::write(folder.join(name), text)?;
    }
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(&folder).args(PACKAGES);
    if !npm.stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let mut node = Command::new("node");
    node.arg(folder.join("server.mjs")).args([load.held.to_string(), load.players.to_string()]);
    node.env("NODE_ENV", "production").stderr(fs::File::create(folder.join("server.log"))?);
    let name = format!("boardgame.io, a match of that size for {}", load.players);
    Server::start(&mut node, name, Language::BoardgameIo, load.held).map(Some)
}
