//! Texts with placeholders: transcript lines, prompts, labels of choices.

use crate::state::Layout;
use motherlode_content::declare::{Counter, Declarations, Definition, Domain, Holder};
use motherlode_content::hidden::{LONGEST, clipped};
use motherlode_content::placeholder::{Form, Piece, pieces};

/// A script's argument for a text.
#[derive(Debug, Clone, PartialEq)]
pub enum TextArg {
    /// `nil`
    Nil,
    /// Any number.
    Number(f64),
    /// A boolean.
    Bool(bool),
    /// A string.
    Text(String),
    /// A table, a function or another type.
    Other,
}

impl std::fmt::Display for TextArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nil => write!(f, "nil"),
            Self::Number(n) => write!(f, "{n}"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Text(t) => write!(f, "{t}"),
            Self::Other => write!(f, "a table or function"),
        }
    }
}

/// Displayed name of a player (from 1).
#[must_use]
pub fn player_name(d: &Declarations, player: i32) -> String {
    let seat = usize::try_from(player.saturating_sub(1)).ok().and_then(|i| d.seats.get(i));
    match seat {
        Some(seat) if !seat.name.is_empty() => seat.name.clone(),
        _ => format!("Player {player}"),
    }
}

/// Name of a cell (from 1; numbering continues across the copies of a grid per player).
#[must_use]
pub fn cell_name(layout: &Layout, grid: usize, cell: i32) -> String {
    let geometry = &layout.grids[grid];
    match usize::try_from(cell.saturating_sub(1)) {
        Ok(index) if geometry.places() > 0 => geometry.name(index % geometry.places()).to_owned(),
        _ => format!("cell {cell}"),
    }
}

/// Displayed name of a cell: that of its definition, if the grid has `names`. Coordinates follow a name that several
/// cells share.
#[must_use]
pub fn cell_label(d: &Declarations, layout: &Layout, grid: usize, cell: i32) -> String {
    let id = cell_name(layout, grid, cell);
    let index = usize::try_from(cell.saturating_sub(1)).ok();
    let index = index.and_then(|index| index.checked_rem(layout.grids.get(grid)?.places()));
    let Some(one) = index.and_then(|index| cell_definition(d, layout, grid, index)) else { return id };
    let shared = d.definitions_of(one.kind).iter().filter(|other| other.name == one.name).count() > 1;
    if shared { format!("{} ({id})", one.name) } else { one.name.clone() }
}

/// The definition that names a cell (from 0, within one copy of the grid), if the grid has `names`.
#[must_use]
pub fn cell_definition<'d>(d: &'d Declarations, layout: &Layout, grid: usize, cell: usize) -> Option<&'d Definition> {
    let kind = d.grids.get_index(grid)?.1.names?;
    let at = layout.grids.get(grid)?.cells().iter().position(|&one| usize::from(one) == cell)?;
    d.definitions_of(kind).get(at)
}

/// Displayed name of a token.
#[must_use]
pub fn token_name(d: &Declarations, layout: &Layout, token: i32) -> String {
    usize::try_from(token.saturating_sub(1))
        .ok()
        .and_then(|i| layout.tokens.get(i))
        .map_or_else(|| format!("token {token}"), |info| d.definitions[info.definition].name.clone())
}

/// Displayed name of an integer in a prompt's domain.
#[must_use]
pub fn domain_label(d: &Declarations, layout: &Layout, domain: Domain, n: i32) -> String {
    match domain {
        Domain::Number => n.to_string(),
        Domain::Player => player_name(d, n),
        Domain::Token => token_name(d, layout, n),
        Domain::Cell(grid) => cell_label(d, layout, grid, n),
        Domain::Definition(kind) => definition(d, kind, n).map_or_else(|| n.to_string(), |x| x.name.clone()),
    }
}

/// The definition with this number (from 1) within its kind.
fn definition(d: &Declarations, kind: usize, n: i32) -> Option<&Definition> {
    let kind = &d.kinds[kind];
    d.definitions[kind.first..kind.first + kind.len].get(usize::try_from(n).ok()?.checked_sub(1)?)
}

/// Stable id of an integer in a prompt's domain: card id, cell name, player number from 1, number.
#[must_use]
pub fn domain_id(d: &Declarations, layout: &Layout, domain: Domain, n: i32) -> String {
    match domain {
        Domain::Token => usize::try_from(n.saturating_sub(1))
            .ok()
            .and_then(|i| layout.tokens.get(i))
            .map_or_else(|| n.to_string(), |info| d.definitions[info.definition].id.clone()),
        Domain::Definition(kind) => definition(d, kind, n).map_or_else(|| n.to_string(), |x| x.id.clone()),
        Domain::Cell(grid) => cell_name(layout, grid, n),
        Domain::Number | Domain::Player => n.to_string(),
    }
}

/// Fills the placeholders of a text with arguments. A placeholder without an argument stays unchanged.
#[must_use]
pub fn fill(d: &Declarations, layout: &Layout, template: &str, args: &[TextArg]) -> String {
    let mut out = String::with_capacity(template.len().min(LONGEST));
    for piece in pieces(template) {
        if out.len() > LONGEST {
            break;
        }
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Placeholder(placeholder) => {
                let index = placeholder.value.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                match index.and_then(|index| args.get(index)) {
                    Some(arg) => out.push_str(&shown(d, layout, placeholder.form, arg)),
                    None => out.extend(["{", placeholder.inside, "}"]),
                }
            }
        }
    }
    clipped(out)
}

/// An argument in the form that its placeholder asks for. An argument that is not a number is shown unchanged and
/// takes the plural.
fn shown(d: &Declarations, layout: &Layout, form: Form<'_>, arg: &TextArg) -> String {
    let number = match arg {
        TextArg::Number(n) => Some(*n as i32),
        _ => None,
    };
    let plain = || number.map_or_else(|| arg.to_string(), |n| n.to_string());
    match (form, number) {
        (Form::Plain, _) | (Form::Name(_), None) => plain(),
        (Form::Name(sort), Some(n)) => name_of(d, layout, sort, n),
        (Form::Count(plural), _) => format!("{} {}", plain(), number.map_or(plural.many, |n| plural.of(n))),
        (Form::Noun(plural), _) => number.map_or(plural.many, |n| plural.of(n)).to_owned(),
    }
}

/// Name of the thing that a number refers to: `player`, `token`, `cell board`, `counter ore`, or a kind.
fn name_of(d: &Declarations, layout: &Layout, sort: &str, n: i32) -> String {
    match sort.split_once(' ').unwrap_or((sort, "")) {
        ("player", _) => player_name(d, n),
        ("token", _) => token_name(d, layout, n),
        ("cell", grid) => {
            d.grids.get_index_of(grid).map_or_else(|| n.to_string(), |grid| cell_label(d, layout, grid, n))
        }
        ("counter", name) => counter_value(d, layout, name, n),
        (kind, _) => match d.kinds.get_index_of(kind) {
            Some(kind) => domain_label(d, layout, Domain::Definition(kind), n),
            None => n.to_string(),
        },
    }
}

/// Name of a counter's value, also for a family, if the values have names; otherwise the number, with its fraction.
#[must_use]
pub fn counter_value(d: &Declarations, layout: &Layout, name: &str, n: i32) -> String {
    let counter = d.counters.get(name).or_else(|| {
        let family = d.counter_families.get(name)?;
        d.counters.get_index(family.first).map(|(_, counter)| counter)
    });
    counter.map_or_else(
        || n.to_string(),
        |counter| match counter.means {
            _ if counter.unit > 0 => counter.shown(n),
            Domain::Cell(_) if n != 0 => domain_label(d, layout, counter.means, n),
            _ => value_text(d, layout, counter, n),
        },
    )
}

/// Name of a value of this counter, as [`counter_value`], but a cell by its coordinates, as scripts name it.
#[must_use]
pub fn value_text(d: &Declarations, layout: &Layout, counter: &Counter, n: i32) -> String {
    if counter.means != Domain::Number {
        return match counter.means {
            _ if n == 0 => "none".to_owned(),
            Domain::Cell(grid) => cell_name(layout, grid, n),
            _ => domain_label(d, layout, counter.means, n),
        };
    }
    let name = usize::try_from(n).ok().and_then(|n| counter.values.get(n));
    name.cloned().unwrap_or_else(|| n.to_string())
}

/// Displayed name of a holder, such as `player 2`.
#[must_use]
pub fn holder_name(d: &Declarations, layout: &Layout, per: Holder, holder: i32) -> String {
    match per {
        Holder::Game => "the game".into(),
        Holder::Player => player_name(d, holder),
        Holder::Token(_) => token_name(d, layout, holder),
        Holder::Cell(grid) => cell_name(layout, grid, holder),
    }
}
