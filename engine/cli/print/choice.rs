//! Chooses the cards to print, with their sizes and copies.

use std::str::FromStr;

use motherlode::Game;
use motherlode::declare::{CardSize, Declarations, Holder, KindLook};
use motherlode::tools::nearest;
use motherlode_table::declared_size;
use motherlode_table::print::PrintedCard;

use crate::fault::Fault;
use crate::number::whole_number;

/// Arguments that choose the cards.
#[derive(Debug, clap::Args)]
pub struct ChoiceArgs {
    /// Kinds of cards [default: kinds with tokens and kinds with a face in look.toml, the boards and the rules]
    pub kinds: Vec<String>,
    /// Size of the cards, for all kinds or for one: poker, bridge, mini, tarot, landscape, square, tile, token, none; may be
    /// repeated [default: `size` in look.toml]
    #[arg(long = "size", value_name = "[KIND=]SIZE")]
    sizes: Vec<SizeArg>,
    /// Print one copy of each card
    #[arg(long)]
    pub single: bool,
    /// Number of players, for the sets of kinds that each player has [default: the most]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=16_u8))]
    players: Option<u8>,
}

impl ChoiceArgs {
    /// The number of players.
    ///
    /// # Errors
    /// The game has no such number of players.
    pub fn players(&self, d: &Declarations) -> Result<u8, Fault> {
        let players = self.players.unwrap_or(d.players.max);
        if !(d.players.min..=d.players.max).contains(&players) {
            let (min, max) = (d.players.min, d.players.max);
            return Err(Fault::usage(format!("`{}` has no {players} players: use {min} to {max}", d.id)));
        }
        Ok(players)
    }
}

/// A value of `--size`: `mini`, or `events=tarot`.
#[derive(Debug, Clone)]
pub struct SizeArg {
    /// Name of the kind; `None`: all kinds.
    kind: Option<String>,
    size: CardSize,
}

impl FromStr for SizeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, size) = match text.split_once('=') {
            Some((kind, size)) => (Some(kind.to_owned()), size),
            None => (None, text),
        };
        let names = CardSize::ALL.map(|(name, _)| name);
        match CardSize::ALL.iter().find(|(name, _)| *name == size) {
            Some((_, size)) => Ok(Self { kind, size: *size }),
            None => Err(match nearest(size, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the sizes are {}", names.join(", ")),
            }),
        }
    }
}

/// The name of a size.
pub fn size_name(size: CardSize) -> &'static str {
    CardSize::ALL.iter().find(|(_, one)| *one == size).map_or("", |(name, _)| name)
}

/// The cards of the chosen kinds.
///
/// # Errors
/// A kind or a number of players is unknown.
pub fn cards(args: &ChoiceArgs, game: &Game) -> Result<Vec<PrintedCard>, Fault> {
    let d = game.declarations();
    let named_in_sizes = args.sizes.iter().filter_map(|one| one.kind.as_ref());
    for name in args.kinds.iter().chain(named_in_sizes) {
        if !d.kinds.contains_key(name) {
            return Err(unknown(d, name));
        }
    }
    let players = args.players(d)?;
    let mut cards = Vec::new();
    for (index, (name, kind)) in d.kinds.iter().enumerate() {
        let is_named = args.kinds.contains(name);
        if !is_named && !args.kinds.is_empty() {
            continue;
        }
        let Some(size) = size(args, d, index, is_named) else { continue };
        let sets = if kind.tokens && kind.per == Holder::Player { usize::from(players) } else { 1 };
        cards.extend(d.definitions_of(index).iter().map(|one| PrintedCard {
            face: format!("{name}.{}", one.id),
            size,
            copies: if args.single { 1 } else { usize::from(one.copies) * sets },
        }));
    }
    Ok(cards)
}

/// The size of a kind (index into `kinds`); `None`: it is not printed.
fn size(args: &ChoiceArgs, d: &Declarations, kind: usize, is_named: bool) -> Option<CardSize> {
    let (name, _) = d.kinds.get_index(kind)?;
    let given = |of: Option<&String>| args.sizes.iter().rev().find(|one| one.kind.as_ref() == of).map(|one| one.size);
    let printed = |size: CardSize| (size != CardSize::None).then_some(size);
    if let Some(size) = given(Some(name)) {
        return printed(size);
    }
    let declared = declared_size(d, kind).or_else(|| {
        // A named kind is printed even if the game does not print it.
        let look = d.look.kinds.get(name).map(|look| KindLook { size: None, ..look.clone() });
        is_named.then(|| look.unwrap_or_default().paper_size())
    })?;
    printed(given(None).unwrap_or(declared))
}

fn unknown(d: &Declarations, name: &str) -> Fault {
    let kinds: Vec<&str> = d.kinds.keys().map(String::as_str).collect();
    let hint = match nearest(name, kinds.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if kinds.is_empty() => "it has no kinds".to_owned(),
        None => format!("the kinds are {}", kinds.join(", ")),
    };
    Fault::usage(format!("`{}` has no kind `{name}`; {hint}", d.id))
}
