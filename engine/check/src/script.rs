//! Reads a script: resolves its names in one pass and collects lists for the lints.
//!
//! - `token`, `source_map`: tokens, and their lines and columns
//! - `signature`, `library`: accessors of the engine, and functions of Luau
//! - `resolve`: the pass that maps each name to its variable
//! - `returned`, `lib_file`: the functions that a script returns
//! - `role`: the game, players and tokens among the values
//! - `value`: the values of variables
//! - `call`: calls and their arguments
//! - `known`: the names that the content declares
//! - `mention`: texts that must be names
//! - `flow`: texts that reach a variable
//!
//! Direction: signature, source_map, token <- lib_file, library, returned <- known, resolve <- role, value <- call <- mention <- flow

pub mod call;
pub mod flow;
pub mod known;
pub mod lib_file;
pub mod library;
pub mod mention;
pub mod resolve;
pub mod returned;
pub mod role;
pub mod signature;
pub mod source_map;
pub mod token;
pub mod value;

use full_moon::ast::{Block, Expression};

use self::call::{Call, Calls};
use self::flow::Flow;
use self::known::DeclaredNames;
use self::mention::Mention;
use self::resolve::ResolvedNames;
use self::returned::Returned;
use self::role::Role;
use self::source_map::SourceMap;
use self::value::VariableValues;
use motherlode_content::declare::Declarations;
use motherlode_content::sort::NameKind;
use motherlode_content::source::SourceFile;

/// A script with resolved names: the input of lints.
#[derive(Debug)]
pub struct ResolvedScript<'a> {
    /// Positions in the source.
    pub source_map: SourceMap<'a>,
    /// Variables, functions and the use of each name.
    pub names: ResolvedNames<'a>,
    /// Hooks and verbs that the script returns.
    pub returned: Returned<'a>,
    /// Known values of the variables.
    pub values: VariableValues,
    /// Calls and field reads.
    pub calls: Calls<'a>,
    /// Texts that must be names: arguments, or texts that reach an argument through variables.
    pub mentions: Vec<Mention<'a>>,
    /// Sorts of names that the script passes in variables.
    pub dynamic: Vec<NameKind>,
    /// Names that the functions of a `lib.luau` require of their arguments, for the scripts that call them.
    pub required: flow::RequiredByFunction<'a>,
}

impl<'a> ResolvedScript<'a> {
    /// Resolves a script. `required`: names that functions of `lib.luau` require of their arguments.
    pub fn read(
        block: &'a Block,
        source: &'a SourceFile,
        known: &DeclaredNames<'a>,
        required: &flow::RequiredByFunction<'a>,
    ) -> Self {
        let returned = Returned::read(block, &source.path, known.d);
        let names = ResolvedNames::resolve(block, &returned.keys);
        let values = VariableValues::of(&names, &returned, known.d);
        let calls = Calls::read(&names, &values, known.libs_seen_by(&source.path));
        let mut flow = Flow::of(&names, &values, &calls, required);
        let mut mentions = mention::in_calls(&names, &values, &calls, known.d);
        flow.require(&names, &values, &mentions.computed);
        let lib = known.libs.iter().find(|lib| lib.path == source.path);
        let required = lib.map(|lib| flow.required_by_functions(&names, &values, lib)).unwrap_or_default();
        mentions.literals.extend(mention::in_comparisons(&names, &values, known.d));
        mentions.literals.extend(flow.mentions(known));
        let source_map = SourceMap::new(source);
        Self {
            source_map,
            names,
            returned,
            values,
            calls,
            mentions: mentions.literals,
            dynamic: mentions.dynamic,
            required,
        }
    }

    /// Returns the name and the role of a value: the game, a player or a token.
    pub fn role_of(&self, d: &Declarations, value: &'a Expression) -> Option<(&'a str, Role)> {
        role::role_of(&self.names, &self.returned, d, value)
    }

    /// Iterates over the calls with a valid number of arguments.
    pub fn calls_with_valid_counts(&self) -> impl Iterator<Item = &Call<'a>> {
        self.calls.list.iter().filter(|call| call.violated_limits(&self.names).is_none())
    }
}
