//! The game, players and tokens among the values of a script.

use full_moon::ast::{Expression, Parameter, Var};
use full_moon::tokenizer::TokenReference;

use crate::script::resolve::ResolvedNames;
use crate::script::returned::{Hook, Owner, Returned};
use crate::script::token::identifier;
use motherlode_content::declare::Declarations;

/// The role of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The game.
    Game,
    /// A player.
    Player,
    /// A token.
    Token,
}

impl Role {
    /// Returns `a player` and the like, for messages.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Game => "the game",
            Self::Player => "a player",
            Self::Token => "a token",
        }
    }
}

/// Returns the name and the role of a value: `game`, or a parameter of a hook that no statement assigns to.
pub fn role_of<'a>(
    names: &ResolvedNames<'a>,
    returned: &Returned<'a>,
    d: &Declarations,
    value: &'a Expression,
) -> Option<(&'a str, Role)> {
    let Expression::Var(Var::Name(token)) = value else { return None };
    Some((identifier(token)?, role_of_name(names, returned, d, token)?))
}

/// Returns the role of a name: `game`, or a parameter of a hook that no statement assigns to.
pub fn role_of_name(
    names: &ResolvedNames<'_>,
    returned: &Returned<'_>,
    d: &Declarations,
    token: &TokenReference,
) -> Option<Role> {
    if names.free(token) == Some("game") {
        return Some(Role::Game);
    }
    let variable = names.constant(token)?;
    returned.hooks.iter().find_map(|hook| {
        let mut parameters = hook.body?.parameters().iter();
        let is_it = |own: &Parameter| matches!(own, Parameter::Name(name) if names.variable(name) == Some(variable));
        role_of_parameter(hook, parameters.position(is_it)?, d)
    })
}

/// The role of a parameter (from 0) of a hook.
fn role_of_parameter(hook: &Hook<'_>, place: usize, d: &Declarations) -> Option<Role> {
    let functions = hook.owner.functions(d);
    let (_, parameters) = functions.iter().find(|(name, _)| *name == hook.name)?;
    let of_tokens = |kind: usize| d.kinds.get_index(kind).is_some_and(|(_, kind)| kind.tokens);
    match (*parameters.get(place)?, hook.owner) {
        // The author of a kind names the other parameters of its hooks.
        ("player", Owner::Phase | Owner::Game | Owner::Verbs | Owner::Verb(_)) => Some(Role::Player),
        ("token", Owner::Phase) => Some(Role::Token),
        ("token", Owner::Definition(kind)) if place == 0 && of_tokens(kind) => Some(Role::Token),
        ("player", Owner::Definition(_)) if place > 0 => Some(Role::Player),
        _ => None,
    }
}
