//! `lode print`: cards, boards and rules on paper.
//!
//! Direction: session <- browser, changes, choice <- target <- self

mod browser;
mod changes;
mod choice;
#[cfg(unix)]
mod session;
mod target;

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use motherlode::{Game, Pack};
use motherlode_check::CheckedGame;
use motherlode_table::print::{
    MARGIN, Paper, PrintJob, PrintedCard, RulesForm, TokenChoice, TokenSet, boards, lay_out, tokens,
};
use motherlode_table::{Faces, paint};

use self::choice::{ChoiceArgs, cards, size_name};
use self::target::Target;
use crate::fault::Fault;
use crate::number::whole_number;
use crate::project::{GlobalArgs, Project};

/// Largest bleed, in millimetres.
const MAX_BLEED: f64 = 10.0;

/// Print cards, boards and rules: on paper, as PDF or as pictures
///
/// `.html` prints from any browser and needs nothing else. `.pdf` and a folder of PNG files need Chromium or Chrome; `LODE_BROWSER`
/// names one that is not in the PATH. Print at 100 %, and on both sides by turning over the long edge.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// File to write: cards.html or cards.pdf; or a folder for PNG files: png/
    #[arg(long, value_name = "FILE|DIR/")]
    out: PathBuf,
    /// Paper
    #[arg(long, value_enum, default_value_t = PaperArg::A4)]
    paper: PaperArg,
    /// Colour beyond the cut, from 0 to 10 mm
    #[arg(long, value_name = "MM", default_value = "1.5", value_parser = bleed)]
    bleed: f64,
    /// Backs of the cards, each on the page after its front
    #[arg(long, value_enum, default_value_t = Backs::Mirrored)]
    backs: Backs,
    /// Print only the cards whose face differs from that of a git revision, as in git:HEAD~1
    #[arg(long, value_name = "git:REV")]
    changed_since: Option<String>,
    /// Form of the rules: a booklet to fold, or pages in reading order [default: booklet, or pages without backs; none if KINDS or
    /// --changed-since choose cards]
    #[arg(long, value_enum)]
    rules: Option<Rules>,
    /// Boards, each on a page of its own [default: all; none if KINDS or --changed-since choose cards]
    #[arg(long, value_enum)]
    boards: Option<Boards>,
    /// Tokens: of the counters that look.toml shows as tokens, or of all visible counters of players and cells [default: look; none
    /// if KINDS, --changed-since or --no-cards choose what is printed]
    #[arg(long, value_enum)]
    tokens: Option<Tokens>,
    /// Print no cards
    #[arg(long, conflicts_with_all = ["kinds", "sizes", "single", "players", "changed_since"])]
    no_cards: bool,
    /// Dots per inch of PNG files
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole_number(50..=1200_u16))]
    dpi: u16,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PaperArg {
    A4,
    Letter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Backs {
    Mirrored,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rules {
    Booklet,
    Pages,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Boards {
    All,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Tokens {
    Look,
    All,
    None,
}

fn bleed(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=MAX_BLEED).contains(number));
    number.ok_or_else(|| format!("use a number of millimetres from 0 to {MAX_BLEED}"))
}

/// Lays the cards out and writes the pages.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let target = Target::open(&args.out, args.force)?;
    let (project, id) = Project::locate(global, &args.game)?;
    let (pack, checked) = project.open(&id)?;
    let game = &checked.game;
    let mut chosen = if args.no_cards { Vec::new() } else { cards(&args.choice, game)? };
    if let Some(revision) = &args.changed_since {
        let changed = changes::since(&project, game, &id, revision)?;
        chosen.retain(|card| changed.contains(&card.face));
        if chosen.is_empty() {
            return Ok(writeln!(out, "no card changed since {revision}: nothing was written")?);
        }
    }
    let job = job(args, &pack, &checked, &chosen)?;
    if job.sheets.is_empty() && job.tokens.0.is_empty() && job.boards.is_empty() && job.rules.is_none() {
        return Err(Fault::usage(format!(
            "`{id}` has nothing to print: name kinds of cards, or use `--tokens look`, `--boards` or `--rules`"
        )));
    }
    let page = job.page(game).map_err(|error| Fault::failed(error.to_string()))?;
    let written = target.write(&page, job.paper, args.dpi)?;
    if args.changed_since.is_some() {
        let faces: HashSet<&str> = chosen.iter().map(|card| card.face.as_str()).collect();
        writeln!(out, "{} with a changed face", paint::plural(faces.len(), "card"))?;
    }
    writeln!(out, "{}: wrote {}", job.summary(), written.files)?;
    for board in job.boards.iter().filter(|board| board.is_empty()) {
        writeln!(
            out,
            "board `{}` is empty on paper: each match fills it; `--tokens all` prints tokens to lay on it",
            board.id
        )?;
    }
    let faces = Faces::new(game);
    for id in &written.cramped {
        let name = faces.get(id).map_or(id, |face| &face.name);
        writeln!(out, "too long for its card: {name} ({id}); shorten its text, or give its kind a larger size")?;
    }
    Ok(())
}

fn job(args: &Args, pack: &Pack, checked: &CheckedGame, chosen: &[PrintedCard]) -> Result<PrintJob, Fault> {
    let game = &checked.game;
    let paper = match args.paper {
        PaperArg::A4 => Paper::A4,
        PaperArg::Letter => Paper::LETTER,
    };
    let laid_out = |cards: &[PrintedCard]| {
        lay_out(cards, paper, args.bleed).map_err(|too_large| {
            let (size, free) = (size_name(too_large.0), paper.width - 2.0 * MARGIN);
            let bleed = args.bleed;
            Fault::usage(format!(
                "a {size} card with a bleed of {bleed} mm does not fit on the paper, which has {free:.0} mm: use a smaller --bleed"
            ))
        })
    };
    let is_whole = args.choice.kinds.is_empty() && args.changed_since.is_none();
    let usual = match args.backs {
        Backs::Mirrored => Rules::Booklet,
        Backs::None => Rules::Pages,
    };
    let form = match args.rules.unwrap_or(if is_whole { usual } else { Rules::None }) {
        Rules::Booklet => Some(RulesForm::Booklet),
        Rules::Pages => Some(RulesForm::Pages),
        Rules::None => None,
    };
    let rules = rules(pack);
    if rules.is_none() && args.rules.is_some() && form.is_some() {
        return Err(Fault::usage(format!("`{}` has no rules.md: write one, or leave out --rules", pack.id)));
    }
    let has_boards = args.boards.unwrap_or(if is_whole { Boards::All } else { Boards::None }) == Boards::All;
    let tokens = chosen_tokens(args, game, is_whole && !args.no_cards)?;
    Ok(PrintJob {
        paper,
        bleed: args.bleed,
        backs: args.backs == Backs::Mirrored,
        sheets: laid_out(chosen)?,
        tokens: (laid_out(&tokens.cards)?, tokens.icons),
        images: checked.images.clone(),
        boards: if has_boards { boards(game, args.choice.players(game.declarations())?)? } else { Vec::new() },
        rules: form.zip(rules),
    })
}

/// The tokens of the job.
fn chosen_tokens(args: &Args, game: &Game, is_whole: bool) -> Result<TokenSet, Fault> {
    let choice = match args.tokens.unwrap_or(if is_whole { Tokens::Look } else { Tokens::None }) {
        Tokens::Look => TokenChoice::Declared,
        Tokens::All => TokenChoice::All,
        Tokens::None => return Ok(TokenSet::default()),
    };
    let mut set = tokens(game, choice, args.choice.players(game.declarations())?);
    if args.choice.single {
        set.cards.iter_mut().for_each(|card| card.copies = 1);
    }
    Ok(set)
}

/// The rules of the game, and those of its mods in load order; `None`: there are none.
fn rules(pack: &Pack) -> Option<String> {
    let path = format!("content/{}/rules.md", pack.id);
    let of_mods = pack.mods().iter().flat_map(|one| {
        let own = format!("{}/{path}", one.id());
        one.files().filter(move |file| file.path == own)
    });
    let texts: Vec<&str> = pack.file(&path).into_iter().chain(of_mods).map(|file| file.text.trim_end()).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n") + "\n")
}
