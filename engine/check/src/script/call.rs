//! What a script calls, with how many arguments, and which fields it reads.

use full_moon::ast::{Call as Suffixed, Expression, FunctionArgs, FunctionBody, Index, Suffix, TableConstructor};
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;

use crate::script::lib_file::{self, Libs};
use crate::script::library;
use crate::script::resolve::{Chain, Names};
use crate::script::signature::{Kind, SIGNATURES, Signature};
use crate::script::token::{called, identifier};
use crate::script::value::{Holds, Values};

/// One argument of a call.
#[derive(Debug, Clone, Copy)]
pub enum Argument<'a> {
    /// `f(x)`
    Expression(&'a Expression),
    /// `f "x"`
    Text(&'a TokenReference),
    /// `f { x }`
    Table(&'a TableConstructor),
}

impl Argument<'_> {
    /// First and last byte.
    pub fn span(self) -> (usize, usize) {
        let range = match self {
            Self::Expression(expression) => expression.range(),
            Self::Text(token) => token.range(),
            Self::Table(table) => table.range(),
        };
        range.map_or((0, 0), |(start, end)| (start.bytes(), end.bytes()))
    }

    /// What sort of value it is, as far as that can be seen.
    pub fn kind(self, names: &Names<'_>, values: &Values) -> Option<Kind> {
        match self {
            Self::Expression(expression) => values.kind(names, expression),
            Self::Text(_) => Some(Kind::Text),
            Self::Table(_) => Some(Kind::Table),
        }
    }
}

/// What is called.
#[derive(Debug, Clone, Copy)]
pub enum Callee<'a> {
    /// An accessor of the engine.
    Accessor(&'static str, &'static Signature),
    /// A function of Luau's library, of this table; of none (`""`), it is plain.
    Library(&'a str),
    /// A function of the script, by its index.
    Own(usize),
    /// A function of `lib`, and its body if that is known.
    Lib(Option<&'a FunctionBody>),
}

/// A call.
#[derive(Debug)]
pub struct Call<'a> {
    /// What is called.
    pub callee: Callee<'a>,
    /// Where it is named.
    pub at: &'a TokenReference,
    /// The same as text.
    pub name: &'a str,
    /// The arguments.
    pub arguments: Vec<Argument<'a>>,
    /// Whether there are exactly so many; a call at the end may yield any number.
    pub exact: bool,
}

/// How many arguments a function takes.
#[derive(Debug)]
pub struct Counts {
    /// Fewest.
    pub least: usize,
    /// Most.
    pub most: usize,
    /// How it is called, if that is known.
    pub usage: Option<String>,
}

impl Call<'_> {
    /// What is called, as it is written.
    pub fn shown(&self) -> String {
        match self.callee {
            Callee::Library(table) if !table.is_empty() => format!("{table}.{}", self.name),
            Callee::Lib(_) => format!("lib.{}", self.name),
            _ => self.name.to_owned(),
        }
    }

    /// What the function takes, if the call has too few arguments or too many.
    pub fn miscounted(&self, names: &Names<'_>) -> Option<Counts> {
        let body = match self.callee {
            Callee::Own(index) => Some(names.functions[index].body),
            Callee::Lib(body) => body,
            _ => None,
        };
        let (least, most) = match self.callee {
            Callee::Accessor(_, signature) if !signature.callable => return None,
            Callee::Accessor(_, signature) => (signature.least, signature.most),
            Callee::Library(table) => library::counts(table, self.name)?,
            Callee::Own(_) | Callee::Lib(_) => lib_file::counts(body?),
        };
        let given = self.arguments.len();
        if given <= most && !(self.exact && given < least) {
            return None;
        }
        let usage = match self.callee {
            Callee::Accessor(_, signature) => Some(signature.text.to_owned()),
            _ => body.map(|body| lib_file::usage(&self.shown(), body)),
        };
        Some(Counts { least, most, usage })
    }
}

/// What a script calls and reads.
#[derive(Debug, Default)]
pub struct Calls<'a> {
    /// Calls of functions that are known.
    pub list: Vec<Call<'a>>,
    /// Fields that are read, also as methods that are called.
    pub fields: Vec<&'a TokenReference>,
    /// Functions named in a table that is known: `math.floor`, `lib.price`.
    pub named: Vec<Named<'a>>,
    /// Fields of a verb's arguments, with the verb.
    pub verb_args: Vec<(usize, &'a TokenReference)>,
    /// `lib:price()`
    pub lib_methods: Vec<&'a TokenReference>,
    /// Whether `lib` is used as a value: any function may be called.
    pub lib_escapes: bool,
}

/// A function that is named in a table.
#[derive(Debug)]
pub struct Named<'a> {
    /// The table.
    pub table: Table<'a>,
    /// The name of the function.
    pub field: &'a TokenReference,
}

/// A table of functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table<'a> {
    /// One of Luau's library.
    Library(&'a str),
    /// The `lib` of other scripts.
    Lib,
    /// The `lib` that this script fills.
    OwnLib,
}

impl<'a> Calls<'a> {
    /// Looks at every name with what follows it.
    pub fn read(names: &Names<'a>, values: &Values, libs: Libs<'_, 'a>) -> Self {
        let mut calls = Self::default();
        for chain in &names.chains {
            let fields_from = match chain.variable {
                None => calls.of_free_name(names, chain, libs),
                Some(variable) => Some(calls.of_variable(names, values, chain, variable, libs)),
            };
            // Of a name that means nothing, nothing else is said.
            if let Some(from) = fields_from {
                calls.fields.extend(chain.suffixes.iter().skip(from).filter_map(|suffix| field(suffix)));
            }
        }
        let lib_itself = names.free.iter().filter(|free| free.name == "lib").count();
        let followed = names.chains.iter().filter(|chain| is_lib_with_field(chain)).count();
        calls.lib_escapes = lib_itself > followed;
        calls
    }

    /// What follows a name that is no variable; how much of it was looked at.
    fn of_free_name(&mut self, names: &Names<'a>, chain: &Chain<'a>, libs: Libs<'_, 'a>) -> Option<usize> {
        let Chain { token, name, suffixes, .. } = chain;
        match suffixes.first()? {
            Suffix::Index(Index::Dot { name: field, .. }) if *name == "lib" && !libs.seen.is_empty() => {
                self.named.push(Named { table: Table::Lib, field });
                let callee = Callee::Lib(libs.body(identifier(field)?));
                self.add(names, callee, field, suffixes.get(1));
                Some(1)
            }
            Suffix::Call(Suffixed::MethodCall(call)) if *name == "lib" && !libs.seen.is_empty() => {
                self.lib_methods.push(call.name());
                Some(1)
            }
            first @ Suffix::Call(Suffixed::AnonymousCall(_)) => {
                let callee = match SIGNATURES.get_key_value(*name) {
                    Some((name, signature)) => Callee::Accessor(name, signature),
                    None => Callee::Library(""),
                };
                self.add(names, callee, token, Some(first));
                Some(1)
            }
            Suffix::Index(Index::Dot { name: field, .. }) if library::fields(name).is_some() => {
                self.named.push(Named { table: Table::Library(name), field });
                self.add(names, Callee::Library(name), field, suffixes.get(1));
                Some(1)
            }
            _ => None,
        }
    }

    /// The same of a variable.
    fn of_variable(
        &mut self,
        names: &Names<'a>,
        values: &Values,
        chain: &Chain<'a>,
        variable: usize,
        libs: Libs<'_, 'a>,
    ) -> usize {
        let Chain { token, name, suffixes, .. } = chain;
        let constant = !names.variables[variable].assigned;
        match (suffixes.first(), values.of_variable(variable)) {
            (Some(first @ Suffix::Call(Suffixed::AnonymousCall(_))), Holds::Function(index)) if constant => {
                self.add(names, Callee::Own(index), token, Some(first));
                1
            }
            (Some(Suffix::Index(Index::Dot { name: field, .. })), Holds::Args(verb)) => {
                self.verb_args.push((verb, field));
                1
            }
            (Some(Suffix::Index(Index::Dot { name: field, .. })), _) => {
                let Some(own) = libs.own.filter(|own| own.filled == Some(name)) else { return 0 };
                self.named.push(Named { table: Table::OwnLib, field });
                let function = identifier(field).and_then(|name| own.functions.get(name));
                self.add(names, Callee::Lib(function.and_then(|function| function.body)), field, suffixes.get(1));
                1
            }
            _ => 0,
        }
    }

    fn add(&mut self, names: &Names<'a>, callee: Callee<'a>, at: &'a TokenReference, suffix: Option<&&'a Suffix>) {
        let (Some(Suffix::Call(Suffixed::AnonymousCall(given))), Some(name)) = (suffix, identifier(at)) else { return };
        let arguments: Vec<Argument<'a>> = match given {
            FunctionArgs::Parentheses { arguments, .. } => arguments.iter().map(Argument::Expression).collect(),
            FunctionArgs::String(token) => vec![Argument::Text(token)],
            FunctionArgs::TableConstructor(table) => vec![Argument::Table(table)],
            _ => return,
        };
        let exact = arguments.last().is_none_or(|last| !is_open(names, *last));
        let callee = match callee {
            Callee::Accessor(name, signature) => Callee::Accessor(name, signature.of_call(arguments.len())),
            other => other,
        };
        self.list.push(Call { callee, at, name, arguments, exact });
    }
}

/// Whether an argument, as the last one, may stand for any number of them.
fn is_open(names: &Names<'_>, argument: Argument<'_>) -> bool {
    match argument {
        Argument::Expression(Expression::Symbol(token)) => token.token().to_string() == "...",
        Argument::Expression(expression @ Expression::FunctionCall(_)) => {
            // Nearly all accessors return one value at most.
            let name = called(expression).and_then(|token| names.free(token));
            !name.is_some_and(|name| SIGNATURES.get(name).is_some_and(|signature| signature.single))
        }
        _ => false,
    }
}

/// The field that a suffix reads; methods of texts are none.
fn field(suffix: &Suffix) -> Option<&TokenReference> {
    match suffix {
        Suffix::Index(Index::Dot { name, .. }) => Some(name),
        Suffix::Call(Suffixed::MethodCall(call)) => {
            let name = identifier(call.name())?;
            let of_texts = library::fields("string").is_some_and(|methods| methods.contains(&name));
            (!of_texts).then(|| call.name())
        }
        _ => None,
    }
}

fn is_lib_with_field(chain: &Chain<'_>) -> bool {
    let with_field = matches!(
        chain.suffixes.first(),
        Some(Suffix::Index(Index::Dot { .. }) | Suffix::Call(Suffixed::MethodCall(_)))
    );
    chain.variable.is_none() && chain.name == "lib" && with_field
}
