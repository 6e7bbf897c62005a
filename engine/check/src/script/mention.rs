//! Collects texts that must be names.

use full_moon::ast::{BinOp, Expression, Field, TableConstructor};
use full_moon::tokenizer::TokenReference;

use crate::script::call::{Argument, Call, Callee, Calls, EmittedArgument};
use crate::script::known::NameContext;
use crate::script::resolve::ResolvedNames;
use crate::script::signature::ExpectedName;
use crate::script::token::{branches, literal};
use crate::script::value::{KnownValue, TextSet, VariableValues, element};
use motherlode_content::declare::{Declarations, EventArg};
use motherlode_content::sort::NameKind;

/// A text that must be a name.
#[derive(Debug)]
pub struct Mention<'a> {
    /// Token of the text.
    pub token: &'a TokenReference,
    /// The text.
    pub name: &'a str,
    /// Name that is expected.
    pub expected: ExpectedName,
    /// Other names in the call, which limit the valid names.
    pub context: NameContext,
    /// Accessor that takes the name; `==` for a comparison with a name.
    pub by: &'static str,
    /// Whether the text may never get there.
    pub is_guess: bool,
    /// Minimum and maximum number of values that come with a label.
    pub values: Option<(usize, Option<usize>)>,
}

/// A name argument that is not a literal.
#[derive(Debug)]
pub struct ComputedName<'a> {
    /// Argument of the call.
    pub value: &'a Expression,
    /// Sort of name that is expected.
    pub sort: NameKind,
    /// Accessor that takes the name.
    pub accessor: &'static str,
    /// Whether the value is a list of such names.
    pub is_list: bool,
}

/// Name arguments in the calls of a script.
#[derive(Debug, Default)]
pub struct Mentions<'a> {
    /// String literals.
    pub literals: Vec<Mention<'a>>,
    /// All other arguments.
    pub computed: Vec<ComputedName<'a>>,
    /// Sorts of names that the script passes in variables.
    pub dynamic: Vec<NameKind>,
}

/// The string literals that an argument may be.
#[derive(Debug, Default)]
pub struct LiteralNames<'a> {
    /// Tokens of the literals.
    pub tokens: Vec<&'a TokenReference>,
    /// Whether the argument may also have another value.
    pub has_others: bool,
}

impl<'a> LiteralNames<'a> {
    /// Collects the literals of an argument.
    pub fn of(argument: Argument<'a>) -> Self {
        let mut written = Self::default();
        match argument {
            Argument::Text(token) => written.tokens.push(token),
            Argument::Expression(expression) => written.read(expression),
            Argument::Table(_) => written.has_others = true,
        }
        written
    }

    fn read(&mut self, expression: &'a Expression) {
        match expression {
            Expression::String(token) => {
                self.has_others |= literal(token).is_none();
                self.tokens.push(token);
            }
            // `nil` may replace an optional name.
            Expression::Symbol(token) => self.has_others |= token.token().to_string() == "...",
            Expression::Number(_) => {}
            _ => {
                let branches = branches(expression);
                self.has_others |= branches.is_empty();
                branches.into_iter().for_each(|branch| self.read(branch));
            }
        }
    }

    /// Iterates over the literals with their tokens.
    pub fn names(&self) -> impl Iterator<Item = (&'a TokenReference, &'a str)> {
        self.tokens.iter().filter_map(|token| Some((*token, literal(token)?)))
    }
}

/// Collects the name arguments of all calls of accessors.
pub fn in_calls<'a>(
    names: &ResolvedNames<'a>,
    values: &VariableValues,
    calls: &Calls<'a>,
    d: &Declarations,
) -> Mentions<'a> {
    let mut reading = MentionReader { mentions: Mentions::default(), names, values };
    for call in &calls.list {
        if let Callee::Accessor(accessor, signature) = call.callee {
            reading.read_call(call, accessor, &signature.expected, d);
        }
    }
    reading.mentions
}

struct MentionReader<'r, 'a> {
    mentions: Mentions<'a>,
    names: &'r ResolvedNames<'a>,
    values: &'r VariableValues,
}

impl<'a> MentionReader<'_, 'a> {
    fn read_call(&mut self, call: &Call<'a>, by: &'static str, expected: &[ExpectedName], d: &Declarations) {
        let mut context = NameContext::default();
        for (argument, expected) in call.arguments.iter().zip(expected) {
            match expected {
                ExpectedName::Any => {}
                // A reaction window closes with the label `pass`.
                ExpectedName::Name(NameKind::Prompt) if by == "ask_in_turn" => {
                    let written = self.read_argument(*argument, *expected, context, by);
                    for (token, name) in written.names() {
                        context.add(*expected, name, d);
                        self.mentions.literals.push(Mention {
                            token,
                            name: "pass",
                            expected: ExpectedName::Choices,
                            context,
                            by,
                            // Without the label, the first player asked always answers.
                            is_guess: true,
                            values: None,
                        });
                    }
                }
                ExpectedName::Choices => self.read_choices(*argument, context, by),
                ExpectedName::Name(NameKind::Event) => {
                    self.read_argument(*argument, *expected, context, by);
                    self.read_event(call, by, d);
                }
                _ => {
                    let written = self.read_argument(*argument, *expected, context, by);
                    if let (Some((_, name)), 1, false) =
                        (written.names().next(), written.tokens.len(), written.has_others)
                    {
                        context.add(*expected, name, d);
                    }
                }
            }
        }
    }

    /// Reads the names among the arguments of an event.
    fn read_event(&mut self, call: &Call<'a>, by: &'static str, d: &Declarations) {
        let Some(event) = call.emitted_event() else { return };
        for EmittedArgument { value, of, .. } in call.emitted_arguments(event, d) {
            let sort = match of {
                Some(EventArg::Zone) => NameKind::Zone,
                Some(EventArg::Counter) => NameKind::Counter,
                Some(EventArg::Phase) => NameKind::Phase,
                _ => continue,
            };
            self.read_argument(Argument::Expression(value), ExpectedName::Name(sort), NameContext::default(), by);
        }
    }

    fn read_argument(
        &mut self,
        argument: Argument<'a>,
        expected: ExpectedName,
        context: NameContext,
        by: &'static str,
    ) -> LiteralNames<'a> {
        let written = LiteralNames::of(argument);
        match expected {
            ExpectedName::Name(NameKind::Label) => {
                let Some(table) = as_table(argument) else {
                    self.note_dynamic(argument, NameKind::Label, written.has_others);
                    if let Argument::Expression(value) = argument {
                        let sort = NameKind::Label;
                        self.mentions.computed.push(ComputedName { value, sort, accessor: by, is_list: false });
                    }
                    self.add(&written, expected, context, by, Some((0, Some(0))));
                    return written;
                };
                self.read_label(table, expected, context, by);
                return written;
            }
            ExpectedName::Name(sort) => {
                self.note_dynamic(argument, sort, written.has_others);
                if let Argument::Expression(value) = argument {
                    self.mentions.computed.push(ComputedName { value, sort, accessor: by, is_list: false });
                }
            }
            ExpectedName::CounterOrFamily => self.note_dynamic(argument, NameKind::Counter, written.has_others),
            _ => {}
        }
        self.add(&written, expected, context, by, None);
        written
    }

    /// Reads a label with its values: `{ "sum", 7, 9 }`.
    fn read_label(
        &mut self,
        table: &'a TableConstructor,
        expected: ExpectedName,
        context: NameContext,
        by: &'static str,
    ) {
        let mut fields = table.fields().into_iter();
        let Some(Field::NoKey(label)) = fields.next() else { return self.mentions.dynamic.push(NameKind::Label) };
        let written = LiteralNames::of(Argument::Expression(label));
        self.note_dynamic(Argument::Expression(label), NameKind::Label, written.has_others);
        let fields: Vec<&Field> = fields.collect();
        let (mut least, mut most) = (0, Some(fields.len()));
        for (i, field) in fields.iter().enumerate() {
            match field {
                // The last element may expand to any number of values.
                Field::NoKey(Expression::FunctionCall(_) | Expression::Symbol(_)) if i + 1 == fields.len() => {
                    most = None
                }
                Field::NoKey(value) if self.is_never_nil(value) => least = i + 1,
                Field::NoKey(_) => {}
                _ => most = None,
            }
        }
        self.add(&written, expected, context, by, Some((least, most)));
    }

    /// Whether an expression is never `nil`, as far as its form tells.
    fn is_never_nil(&self, value: &Expression) -> bool {
        match value {
            Expression::Number(_) | Expression::String(_) | Expression::UnaryOperator { .. } => true,
            Expression::BinaryOperator { binop, .. } => !matches!(binop, BinOp::And(_) | BinOp::Or(_)),
            Expression::Var(_) => self.values.of_expression(self.names, value) == KnownValue::Number,
            _ => false,
        }
    }

    fn add(
        &mut self,
        written: &LiteralNames<'a>,
        expected: ExpectedName,
        context: NameContext,
        by: &'static str,
        values: Option<(usize, Option<usize>)>,
    ) {
        let mention = |(token, name)| Mention { token, name, expected, context, by, is_guess: false, values };
        self.mentions.literals.extend(written.names().map(mention));
    }

    /// Reads a list of choices. The texts in it must be labels of the prompt.
    fn read_choices(&mut self, argument: Argument<'a>, context: NameContext, by: &'static str) {
        let table = match argument {
            Argument::Table(table) | Argument::Expression(Expression::TableConstructor(table)) => table,
            Argument::Expression(list) if self.is_plain_list(list) => return,
            // The function lists its choices with `choice`.
            Argument::Expression(Expression::Function(_)) => return,
            Argument::Expression(value) => {
                self.mentions.computed.push(ComputedName { value, sort: NameKind::Label, accessor: by, is_list: true });
                return self.mentions.dynamic.push(NameKind::Label);
            }
            Argument::Text(_) => return self.mentions.dynamic.push(NameKind::Label),
        };
        for field in table.fields() {
            let Field::NoKey(value) = field else { continue };
            if let Expression::TableConstructor(label) = value {
                self.read_label(label, ExpectedName::Choices, context, by);
                continue;
            }
            let written = LiteralNames::of(Argument::Expression(value));
            self.note_dynamic(Argument::Expression(value), NameKind::Label, written.has_others);
            self.add(&written, ExpectedName::Choices, context, by, Some((0, Some(0))));
        }
    }

    /// Whether all elements of a list are numbers or ids.
    fn is_plain_list(&self, list: &Expression) -> bool {
        element(self.names, list).is_some()
    }

    /// Notes that a computed argument may be any name of its sort.
    fn note_dynamic(&mut self, argument: Argument<'a>, sort: NameKind, has_others: bool) {
        let holds = match argument {
            Argument::Expression(expression) => self.values.of_expression(self.names, expression),
            _ => KnownValue::Unknown,
        };
        if has_others && (sort != NameKind::Label || !matches!(holds, KnownValue::Number | KnownValue::Id)) {
            self.mentions.dynamic.push(sort);
        }
    }
}

/// Returns the table that an argument is written as.
fn as_table(argument: Argument<'_>) -> Option<&TableConstructor> {
    match argument {
        Argument::Table(table) | Argument::Expression(Expression::TableConstructor(table)) => Some(table),
        _ => None,
    }
}

/// Collects texts that are compared with a value from a known set. A text outside the set is never equal.
pub fn in_comparisons<'a>(names: &ResolvedNames<'a>, values: &VariableValues, d: &Declarations) -> Vec<Mention<'a>> {
    let mut found = Vec::new();
    for (value, other) in &names.comparisons {
        let Expression::String(token) = other else { continue };
        let (Some(name), Some(texts)) = (literal(token), values.texts(names, d, value)) else { continue };
        let mut context = NameContext::default();
        let expected = match texts {
            TextSet::Zone => ExpectedName::Name(NameKind::Zone),
            TextSet::Kind => ExpectedName::Name(NameKind::Kind),
            TextSet::Id => ExpectedName::AnyId,
            TextSet::Phase => ExpectedName::Name(NameKind::Phase),
            TextSet::Attribute(kind, attribute) => {
                context.attribute = Some((kind, attribute));
                ExpectedName::AttributeValue
            }
            TextSet::Option(option) => {
                context.option = Some(option);
                ExpectedName::OptionValue
            }
            TextSet::Value(counter) => {
                context.counter = Some(counter);
                ExpectedName::Value
            }
            TextSet::Label(prompt) => {
                context.prompt = Some(prompt);
                ExpectedName::Choices
            }
        };
        found.push(Mention { token, name, expected, context, by: "==", is_guess: false, values: None });
    }
    found
}
