//! Fields of tables and texts: what is read must be set somewhere, and what looks like a name that is declared ought to be it.

use std::collections::{BTreeMap, BTreeSet};

use full_moon::ast::luau::InterpolatedString;
use full_moon::ast::{BinOp, Call, Expression, FunctionArgs, Index, Suffix};
use full_moon::tokenizer::{TokenReference, TokenType};

use crate::lint::calls::Argument;
use crate::lint::flow::Wants;
use crate::lint::known::Known;
use crate::lint::library;
use crate::lint::place::Places;
use crate::lint::returned::Sections;
use crate::lint::token::{identifier, literal};
use crate::lint::walk::Walk;
use crate::unused::{Uses, values};
use motherlode_content::declare::OptionValue;
use motherlode_content::diagnostic::{Diagnostic, suggestion};

/// Most names that are compared with all others, so that no script takes the check long.
const MOST_GUESSED: usize = 200;

/// What can be judged when all scripts are read.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Fields that scripts set.
    pub set: BTreeSet<String>,
    /// Fields that are read, each with the fault if nothing sets it.
    read: Vec<(String, Diagnostic)>,
    /// Keys of tables that are written out, each with the fault if it is nearly one that is read.
    keys: Vec<(String, Diagnostic)>,
    /// Texts that look like names, each with the fault if it is none.
    texts: Vec<(String, Diagnostic)>,
    /// What the functions of `lib` want of their arguments.
    pub wants: BTreeMap<String, Vec<Wants>>,
    /// What scripts return for definitions.
    pub sections: Sections,
}

impl Gathered {
    /// Warnings of fields that nothing sets, of texts that are nearly names, and of definitions that lack a hook.
    pub fn report(self, known: &Known<'_>, uses: &Uses, faults: &[Diagnostic]) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let values = values(known.d);
        let read: BTreeSet<String> = self.read.iter().map(|(name, _)| name.clone()).collect();
        let args: BTreeSet<&str> =
            known.d.verbs.values().flat_map(|verb| verb.args.keys()).map(String::as_str).collect();
        let mut seen = BTreeSet::new();
        for (name, mut fault) in self.read {
            // Once a file is enough.
            if !seen.insert((fault.file.clone(), name.clone())) {
                continue;
            }
            if self.set.contains(&name) || uses.texts.contains(&name) || values.contains(name.as_str()) {
                continue;
            }
            if !args.contains(name.as_str()) && !known.is_doubtful(&name) {
                if found.len() >= MOST_GUESSED {
                    break;
                }
                let set = self.set.iter().map(String::as_str);
                fault.help = suggestion(&name, set.chain(args.iter().copied()));
                found.push(fault);
            }
        }
        let names = names(known, &values);
        let is_told = |fault: &Diagnostic| {
            faults.iter().any(|other| other.file == fault.file && other.start >= fault.start && other.end <= fault.end)
        };
        let mut guessed = 0;
        let mut near = |name: &str, mut others: &mut dyn Iterator<Item = &str>| {
            guessed += 1;
            let near = |other: &&str| other.len().abs_diff(name.len()) < 2 && strsim::osa_distance(name, other) == 1;
            (guessed <= MOST_GUESSED && name.len() <= 64).then(|| (&mut others).find(near).map(str::to_owned)).flatten()
        };
        for (name, fault) in self.keys {
            let meant = |name: &str| {
                read.contains(name)
                    || uses.texts.contains(name)
                    || names.contains(name)
                    || uses.functions.contains(name)
            };
            if meant(&name) || known.is_doubtful(&name) || is_told(&fault) {
                continue;
            }
            // A field that is read and never set has been told, with this key beside it.
            let read = read.iter().filter(|other| self.set.contains(*other));
            let others = read.chain(&uses.texts).map(String::as_str).chain(names.iter().copied());
            if let Some(near) = near(&name, &mut others.filter(|other| other.len() > 2)) {
                found.push(fault.with_help(format!("did you mean `{near}`?")));
            }
        }
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, _) in &self.texts {
            *times.entry(name).or_default() += 1;
        }
        for (name, fault) in &self.texts {
            let own = times[name.as_str()] > 1 || self.set.contains(name) || names.contains(name.as_str());
            if own || known.is_doubtful(name) {
                continue;
            }
            // A text may be anything: only what is a slip of the fingers away from a name is told.
            if is_told(fault) {
                continue;
            }
            if let Some(near) = near(name, &mut names.iter().copied()) {
                found.push(fault.clone().with_help(format!("did you mean `{near}`?")));
            }
        }
        found
    }
}

/// Every name that is declared.
fn names<'k>(known: &Known<'k>, values: &BTreeSet<&'k str>) -> BTreeSet<&'k str> {
    let d = known.d;
    let mut names = values.clone();
    let words = d.counters.keys().chain(d.zones.keys()).chain(d.grids.keys()).chain(d.kinds.keys());
    let words = words.chain(d.prompts.keys()).chain(d.texts.keys()).chain(d.options.keys()).chain(d.phases.keys());
    let of_kinds = d.kinds.values().flat_map(|kind| kind.attributes.keys().chain(kind.hooks.keys()));
    let of_verbs = d.verbs.iter().flat_map(|(name, verb)| [name].into_iter().chain(verb.args.keys()));
    names.extend(words.chain(of_kinds).chain(of_verbs).map(String::as_str));
    for option in d.options.values() {
        if let OptionValue::Name(name) = &option.default {
            names.insert(name);
        }
    }
    names
}

impl<'a> Walk<'a> {
    /// Notes the fields that are read in a chain.
    pub(super) fn fields(&mut self, suffixes: &[&'a Suffix]) {
        for suffix in suffixes {
            let (field, method) = match suffix {
                Suffix::Index(Index::Dot { name, .. }) => (name, false),
                Suffix::Call(Call::MethodCall(call)) => (call.name(), true),
                _ => continue,
            };
            let Some(name) = identifier(field) else { continue };
            if method && library::fields("string").is_some_and(|methods| methods.contains(&name)) {
                continue;
            }
            let message = format!("nothing sets a field `{name}`");
            let fault = self.places.fault(field, "unknown-field", message, None).as_warning();
            self.gathered.read.push((name.to_owned(), fault));
        }
    }

    /// Notes a key of a table that is written out.
    pub(super) fn note_key(&mut self, key: &'a TokenReference) {
        let Some(name) = identifier(key) else { return };
        self.gathered.set.insert(name.to_owned());
        if self.given_keys.contains(&Places::start(key)) {
            return;
        }
        let message = format!("nothing reads a field `{name}`");
        let fault = self.places.fault(key, "unknown-field", message, None).as_warning();
        self.gathered.keys.push((name.to_owned(), fault));
    }

    /// Notes a text that is written out.
    pub(super) fn note_text(&mut self, token: &TokenReference, text: &str) {
        let like_a_name =
            text.len() > 3 && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if like_a_name {
            let message = format!("nothing is called `{text}`");
            let fault = self.places.fault(token, "unknown-name", message, None).as_warning();
            self.gathered.texts.push((text.to_owned(), fault));
        }
    }

    /// `"enriched_" .. mineral`: names may begin or end so.
    pub(super) fn put_together(&mut self, whole: &'a Expression) {
        let mut parts = vec![whole];
        let mut flat: Vec<&Expression> = Vec::new();
        while let Some(part) = parts.pop() {
            match part {
                Expression::BinaryOperator { lhs, binop: BinOp::TwoDots(_), rhs } => parts.extend([&**rhs, &**lhs]),
                other => flat.push(other),
            }
        }
        let text = |part: Option<&&'a Expression>| match part {
            Some(Expression::String(token)) => literal(token).unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        self.uses.made.insert((text(flat.first()), text(flat.last())));
        for part in flat {
            match part {
                Expression::String(_) => {}
                other => self.expression(other),
            }
        }
    }

    /// The same of a text in backquotes.
    pub(super) fn made_of(&mut self, text: &'a InterpolatedString) {
        let segment = |token: &TokenReference| match token.token_type() {
            TokenType::InterpolatedString { literal, .. } => literal.to_string(),
            _ => String::new(),
        };
        let first = text.segments().next().map_or_else(String::new, |one| segment(&one.literal));
        self.uses.made.insert((first, segment(text.last_string())));
    }

    /// Checks `args.steps` in the function of a verb.
    pub(super) fn check_verb_argument(&mut self, verb: usize, field: &'a TokenReference) {
        let known = self.known;
        let (Some(name), Some((verb, declared))) = (identifier(field), known.d.verbs.get_index(verb)) else { return };
        if !declared.args.contains_key(name) && !known.is_doubtful(name) && !known.is_doubtful(verb) {
            let help = suggestion(name, declared.args.keys().map(String::as_str));
            self.fault(field, "unknown-field", format!("verb `{verb}` takes no argument `{name}`"), help);
        }
    }

    /// `table.insert(list, x)`
    pub(super) fn flow_inserted(&mut self, table: &str, field: &TokenReference, arguments: &'a FunctionArgs) {
        if table != "table" || identifier(field) != Some("insert") {
            return;
        }
        let Some((list, _)) = self.list(arguments) else { return };
        if let [Argument::Expression(into), .., Argument::Expression(value)] = list[..] {
            let node = self.elements_of(into);
            self.flow_into(value, node);
        }
    }
}
