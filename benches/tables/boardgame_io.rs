//! The server of boardgame.io, set up after its guide: it keeps matches in memory. npm installs it into a temporary
//! folder.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::load::Load;
use crate::seat::Language;
use crate::server::Server;

/// npm packages with the versions that were measured last. With a newer koa-compose, the server finds none of its paths.
const PACKAGES: [&str; 2] = ["boardgame.io@0.50.2", "koa-compose@4.1.0"];

/// Starts the server with `load.held` matches; `None` if npm is missing or cannot install the packages.
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
    let name = format!("boardgame.io, a match of the same size for {}", load.players);
    Server::start(&mut node, name, Language::BoardgameIo, load.held).map(Some)
}
