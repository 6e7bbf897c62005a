//! Reading a script: its names are resolved in one pass, and what lints ask about is sorted into lists.
//!
//! Each module uses only those before it: `token`, `place`, `signature`, `library` (what the language has), `resolve` (the pass: which
//! variable a name means), `returned`, `lib_file` (what a script returns), `value` (what a variable holds), `call` (what is called, with
//! what), `known` (what the content declares), `mention` (texts that must be names), `flow` (which texts reach a variable).
//!
//! Direction: place, signature, token <- lib_file, library, returned <- known, resolve <- value <- call <- mention <- flow

pub mod call;
pub mod flow;
pub mod known;
pub mod lib_file;
pub mod library;
pub mod mention;
pub mod place;
pub mod resolve;
pub mod returned;
pub mod signature;
pub mod token;
pub mod value;

use full_moon::ast::Block;

use self::call::{Call, Calls};
use self::flow::Flow;
use self::known::Known;
use self::mention::Mention;
use self::place::Places;
use self::resolve::Names;
use self::returned::Returned;
use self::value::Values;
use motherlode_content::sort::Sort;
use motherlode_content::source::SourceFile;

/// A script that has been read: everything the lints look at.
#[derive(Debug)]
pub struct Resolved<'a> {
    /// Where everything stands.
    pub places: Places<'a>,
    /// Which variable each name means.
    pub names: Names<'a>,
    /// The hooks and verbs that the script returns.
    pub returned: Returned<'a>,
    /// What its variables hold.
    pub values: Values,
    /// What it calls, and the fields it reads.
    pub calls: Calls<'a>,
    /// Texts that stand, or end up, where a name is expected.
    pub mentions: Vec<Mention<'a>>,
    /// Sorts of names that may come from anywhere.
    pub dynamic: Vec<Sort>,
    /// What the functions of a `lib.luau` want of their arguments, for the scripts that call them.
    pub wants: flow::WantsByName<'a>,
}

impl<'a> Resolved<'a> {
    /// Reads a script; `wants` is what the functions of `lib.luau` want.
    pub fn read(block: &'a Block, source: &'a SourceFile, known: &Known<'a>, wants: &flow::WantsByName<'a>) -> Self {
        let returned = Returned::read(block, &source.path, known.d);
        let names = Names::resolve(block, &returned.keys);
        let values = Values::of(&names, &returned.verb_args, known.d);
        let calls = Calls::read(&names, &values, known.libs_seen_by(&source.path));
        let mut flow = Flow::of(&names, &values, &calls, wants);
        let mut mentions = mention::in_calls(&names, &values, &calls, known.d);
        flow.want(&names, &values, &mentions.open);
        let lib = known.libs.iter().find(|lib| lib.path == source.path);
        let wants = lib.map(|lib| flow.wants_of(&names, &values, lib)).unwrap_or_default();
        mentions.closed.extend(mention::in_comparisons(&names, &values, known.d));
        mentions.closed.extend(flow.mentions(known));
        let places = Places::new(source);
        Self { places, names, returned, values, calls, mentions: mentions.closed, dynamic: mentions.dynamic, wants }
    }

    /// The calls of accessors with as many arguments as they take.
    pub fn right_calls(&self) -> impl Iterator<Item = &Call<'a>> {
        self.calls.list.iter().filter(|call| call.miscounted(&self.names).is_none())
    }
}
