//! Calls of accessors: the number of their arguments, and the names among them.

use full_moon::ast::{BinOp, Expression, Field, FunctionArgs, TableConstructor};
use full_moon::tokenizer::TokenReference;

use crate::lint::flow::OwnFunction;
use crate::lint::known::Context;
use crate::lint::names::Holds;
use crate::lint::signature::{SIGNATURES, Signature, Takes};
use crate::lint::token::{called, literal};
use crate::lint::walk::Walk;
use motherlode_content::declare::Holder;
use motherlode_content::sort::Sort;

/// One argument of a call.
#[derive(Debug, Clone, Copy)]
pub(super) enum Argument<'a> {
    Expression(&'a Expression),
    Text(&'a TokenReference),
    Table(&'a TableConstructor),
}

/// How many arguments a function takes, and how it is called.
#[derive(Debug)]
pub(super) struct Counts<'s> {
    pub least: usize,
    pub most: usize,
    /// Empty: nothing to say.
    pub text: &'s str,
}

/// The texts an argument may be.
#[derive(Debug, Default)]
struct Texts<'a> {
    tokens: Vec<&'a TokenReference>,
    /// Whether it may be something else, too.
    more: bool,
}

impl<'a> Walk<'a> {
    /// Checks a call by plain name.
    pub(super) fn check_call(&mut self, function: &'a TokenReference, name: &str, arguments: &'a FunctionArgs) {
        let Some((&name, signature)) = SIGNATURES.get_key_value(name) else { return };
        if !signature.callable {
            self.fault(function, "wrong-arguments", format!("`{name}` is not a function"), None);
            return;
        }
        let Some((list, exact)) = self.list(arguments) else { return };
        let takes = Counts { least: signature.least, most: signature.most, text: signature.text };
        if self.count_arguments(function, name, &takes, list.len(), exact) {
            self.check_kinds(name, signature, &list);
            if exact {
                self.check_owners(function, name, signature, &list);
            }
        }
        let mut context = Context::default();
        for (argument, takes) in list.iter().zip(&signature.takes) {
            self.check_argument(*argument, *takes, &mut context, name);
        }
        if name == "do_verb" {
            self.check_verb_call(&list);
        }
        // The text's name, and the first value that it shows.
        let (sort, text, first) = match name {
            "log" => (Sort::Text, 0, 1),
            "log_to" => (Sort::Text, 1, 2),
            "ask" => (Sort::Prompt, 1, 2),
            "choose" => (Sort::Prompt, 1, 3),
            _ => return,
        };
        if let (Some(Argument::Expression(key)), true) = (list.get(text), exact) {
            self.check_placeholders(key, sort, name, list.len().saturating_sub(first));
        }
    }

    /// `do_verb("advance", player, { steps = 1 })`: what it takes.
    fn check_verb_call(&mut self, list: &[Argument<'a>]) {
        let [
            Argument::Expression(Expression::String(verb)),
            _,
            Argument::Expression(Expression::TableConstructor(table)),
        ] = list
        else {
            return;
        };
        let Some(verb) = literal(verb).and_then(|name| self.known.d.verbs.get_index_of(name)) else { return };
        for field in table.fields() {
            if let Field::NameKey { key, .. } = field {
                self.check_verb_argument(verb, key);
            }
        }
    }

    /// Checks the number of arguments of a call of a function of `lib.luau`.
    pub(super) fn check_shared_call(&mut self, field: &'a TokenReference, name: &str, arguments: &'a FunctionArgs) {
        let Some((list, exact)) = self.list(arguments) else { return };
        // What is laid over a function takes what it takes.
        let functions = self.known.shared.iter().filter_map(|shared| shared.functions.get(name));
        let Some((function, (least, most))) = functions.filter_map(|f| Some((f, f.takes?))).next() else { return };
        let takes = Counts { least, most, text: &function.text };
        self.count_arguments(field, &format!("lib.{name}"), &takes, list.len(), exact);
        let known = self.known;
        if let Some(wants) = self.gathered.wants.get(name).cloned().filter(|_| !known.shared.is_empty()) {
            self.flow_shared(&wants, arguments);
        }
    }

    /// Checks a call of a function of the script itself.
    pub(super) fn check_own_call(
        &mut self,
        at: &'a TokenReference,
        name: &str,
        index: usize,
        arguments: &'a FunctionArgs,
    ) {
        let Some((list, exact)) = self.list(arguments) else { return };
        let OwnFunction { parameters, counts: (least, most), text, .. } = &self.functions[index];
        let (parameters, text) = (parameters.clone(), text.clone());
        let takes = Counts { least: *least, most: *most, text: &text };
        self.count_arguments(at, name, &takes, list.len(), exact);
        self.flow_arguments(&parameters, arguments);
    }

    /// The arguments of a call, and whether there are exactly so many.
    pub(super) fn list(&self, arguments: &'a FunctionArgs) -> Option<(Vec<Argument<'a>>, bool)> {
        let list: Vec<Argument<'a>> = match arguments {
            FunctionArgs::Parentheses { arguments, .. } => arguments.iter().map(Argument::Expression).collect(),
            FunctionArgs::String(token) => vec![Argument::Text(token)],
            FunctionArgs::TableConstructor(table) => vec![Argument::Table(table)],
            _ => return None,
        };
        let exact = list.last().is_none_or(|last| !self.is_open(*last));
        Some((list, exact))
    }

    /// Whether an argument, as the last one, may stand for any number of them.
    fn is_open(&self, argument: Argument<'a>) -> bool {
        match argument {
            Argument::Expression(Expression::Symbol(token)) => token.token().to_string() == "...",
            Argument::Expression(expression @ Expression::FunctionCall(_)) => {
                // An accessor returns one value at most.
                !called(expression).is_some_and(|name| self.variable(name).is_none() && SIGNATURES.contains_key(name))
            }
            _ => false,
        }
    }

    /// Checks the number of arguments; whether it is right.
    pub(super) fn count_arguments(
        &mut self,
        at: &TokenReference,
        name: &str,
        takes: &Counts<'_>,
        count: usize,
        exact: bool,
    ) -> bool {
        let few = exact && count < takes.least;
        if !few && count <= takes.most {
            return true;
        }
        let number = |n: usize| if n == 1 { "1 argument".to_owned() } else { format!("{n} arguments") };
        let message = match (takes.least, takes.most) {
            (_, 0) => format!("`{name}` takes no argument, not {count}"),
            (least, most) if least == most => format!("`{name}` takes {}, not {count}", number(least)),
            (least, _) if few => format!("`{name}` takes at least {}, not {count}", number(least)),
            (_, most) => format!("`{name}` takes at most {}, not {count}", number(most)),
        };
        let help = (!takes.text.is_empty()).then(|| format!("call it as `{}`", takes.text));
        self.fault(at, "wrong-arguments", message, help);
        false
    }

    fn check_argument(&mut self, argument: Argument<'a>, takes: Takes, context: &mut Context, accessor: &'static str) {
        if takes == Takes::Choices {
            return self.check_choices(argument, *context, accessor);
        }
        if takes == Takes::Any {
            return;
        }
        let mut texts = Texts::default();
        match argument {
            Argument::Text(token) => texts.tokens.push(token),
            Argument::Expression(expression) => read_texts(expression, &mut texts),
            Argument::Table(_) => texts.more = true,
        }
        self.note_dynamic(argument, takes, texts.more);
        if let (Argument::Expression(expression), Takes::Name(sort)) = (argument, takes) {
            self.want(expression, sort, accessor);
        }
        let mut wrong = false;
        for token in &texts.tokens {
            let Some(name) = literal(token) else { continue };
            if let Some(fault) = self.known.check(takes, name, *context, accessor) {
                self.fault(*token, fault.code, fault.message, fault.help);
                wrong = true;
            }
        }
        if let ([token], false, false) = (texts.tokens.as_slice(), texts.more, wrong)
            && let Some(name) = literal(token)
        {
            let d = self.known.d;
            match takes {
                Takes::Name(Sort::Kind) => context.kind = d.kinds.get_index_of(name),
                Takes::Name(Sort::Grid) => context.grid = d.grids.get_index_of(name),
                Takes::Name(Sort::Counter) => context.counter = d.counters.get_index_of(name),
                Takes::Name(Sort::Prompt) => context.prompt = d.prompts.get_index_of(name),
                _ => {}
            }
        }
    }

    /// A name that is not written out may be any of its sort.
    fn note_dynamic(&mut self, argument: Argument<'a>, takes: Takes, more: bool) {
        let Takes::Name(sort) = takes else { return };
        let holds = match argument {
            Argument::Expression(expression) => self.holds(expression),
            _ => Holds::Anything,
        };
        if more && (sort != Sort::Label || !matches!(holds, Holds::Number | Holds::Id)) {
            self.uses.dynamic.insert(sort);
        }
    }

    /// A list of choices: the texts in it must be labels of the prompt.
    fn check_choices(&mut self, argument: Argument<'a>, context: Context, accessor: &'static str) {
        let table = match argument {
            Argument::Table(table) | Argument::Expression(Expression::TableConstructor(table)) => table,
            Argument::Expression(list) if self.is_plain_list(list) => return,
            Argument::Expression(list) => {
                self.want_elements(list, Sort::Label, accessor);
                self.uses.dynamic.insert(Sort::Label);
                return;
            }
            Argument::Text(_) => {
                self.uses.dynamic.insert(Sort::Label);
                return;
            }
        };
        for field in table.fields() {
            let Field::NoKey(value) = field else { continue };
            let mut texts = Texts::default();
            read_texts(value, &mut texts);
            self.note_dynamic(Argument::Expression(value), Takes::Name(Sort::Label), texts.more);
            for token in texts.tokens {
                let Some(name) = literal(token) else { continue };
                if let Some(fault) = self.known.check(Takes::Choices, name, context, accessor) {
                    self.fault(token, fault.code, fault.message, fault.help);
                }
            }
        }
    }

    /// A zone or a grid of which every player has one needs the player.
    fn check_owners(&mut self, at: &TokenReference, accessor: &str, signature: &Signature, list: &[Argument<'a>]) {
        let d = self.known.d;
        for (i, (argument, takes)) in list.iter().zip(&signature.takes).enumerate() {
            let token = match *argument {
                Argument::Text(token) | Argument::Expression(Expression::String(token)) => token,
                _ => continue,
            };
            let Some(name) = literal(token) else { continue };
            let (noun, per) = match takes {
                Takes::Name(Sort::Zone) => ("zone", d.zones.get(name).map(|zone| zone.per)),
                Takes::Name(Sort::Grid) => ("grid", d.grids.get(name).map(|grid| grid.per)),
                _ => continue,
            };
            let behind = signature.parameters.iter().enumerate().skip(i + 1);
            let player = behind.into_iter().find(|(_, parameter)| parameter.name.ends_with("player"));
            let Some((player, _)) = player.filter(|_| per == Some(Holder::Player)) else { continue };
            if list.len() <= player {
                let message = format!("`{accessor}` is not told whose {noun} `{name}` is meant: every player has one");
                self.fault(at, "wrong-holder", message, Some(format!("call it as `{}`", signature.text)));
            }
        }
    }

    /// The values a line of the transcript or a question shows must be given.
    fn check_placeholders(&mut self, key: &'a Expression, sort: Sort, accessor: &str, given: usize) {
        let mut texts = Texts::default();
        read_texts(key, &mut texts);
        for token in texts.tokens {
            let Some(name) = literal(token) else { continue };
            let shown = self.known.placeholders(sort, name);
            if shown > given {
                let noun = if sort == Sort::Prompt { "prompt" } else { "text" };
                let values = if given == 1 { "1 value".to_owned() } else { format!("{given} values") };
                let message = format!("{noun} `{name}` shows `{{{shown}}}`, but `{accessor}` gives {values}");
                self.fault(token, "wrong-arguments", message, None);
            }
        }
    }
}

/// The texts an expression may be.
fn read_texts<'a>(expression: &'a Expression, into: &mut Texts<'a>) {
    match expression {
        Expression::String(token) => {
            into.more |= literal(token).is_none();
            into.tokens.push(token);
        }
        Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => {
            read_texts(expression, into);
        }
        Expression::IfExpression(inner) => {
            read_texts(inner.if_expression(), into);
            for other in inner.else_if_expressions().into_iter().flatten() {
                read_texts(other.expression(), into);
            }
            read_texts(inner.else_expression(), into);
        }
        // `x and "a" or "b"`: what is false before `and` is no name.
        Expression::BinaryOperator { binop: BinOp::And(_), rhs, .. } => read_texts(rhs, into),
        Expression::BinaryOperator { lhs, binop: BinOp::Or(_), rhs } => {
            read_texts(lhs, into);
            read_texts(rhs, into);
        }
        // `nil` in place of an optional name.
        Expression::Symbol(token) => into.more |= token.token().to_string() == "...",
        Expression::Number(_) => {}
        _ => into.more = true,
    }
}
