//! Checks the files of rule tests without running them: syntax, variables, methods of `t`, and names of the content in their calls.

use std::collections::BTreeSet;
use std::panic::catch_unwind;

use full_moon::ast::{Call, Expression, FunctionArgs, FunctionCall, Index, Prefix, Suffix};
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;
use full_moon::visitors::Visitor;
use full_moon::{LuaVersion, ast::Ast, parse_fallible};

use crate::finding::Finding;
use crate::lint::on_deep_stack;
use crate::lints::find_syntax_fault;
use crate::script::known::{DeclaredNames, NameContext};
use crate::script::resolve::{FreeName, ResolvedNames};
use crate::script::signature::{ExpectedName, Signature};
use crate::script::source_map::SourceMap;
use crate::script::token::{identifier, literal};
use motherlode_content::declare::Declarations;
use motherlode_content::diagnostic::{Diagnostic, Severity, suggestion};
use motherlode_content::sort::NameKind;
use motherlode_content::source::SourceFile;

/// Maximum findings in one file.
const MAX_FINDINGS: usize = 50;

/// The parameter of every test.
const TEST: &str = "t";
/// The method whose function may use wrong names, because it must fail.
const ERROR: &str = "error";

/// The language of rule tests.
#[derive(Debug, Clone)]
pub struct TestLanguage {
    /// Signatures of the methods of `t`.
    pub methods: Vec<&'static str>,
    /// Names of global variables.
    pub globals: Vec<&'static str>,
}

/// Checks the files of rule tests of a game.
#[must_use]
pub fn check_rule_tests(files: &[SourceFile], d: &Declarations, language: &TestLanguage) -> Vec<Diagnostic> {
    let known = DeclaredNames::new(d, &[], &[], Vec::new());
    let methods: Vec<(&str, Signature)> =
        language.methods.iter().map(|text| (name_of(text), Signature::of_method(text))).collect();
    let check = || files.iter().flat_map(|file| check_file(file, &known, &methods, language)).collect();
    on_deep_stack(check).unwrap_or_default()
}

/// The syntax error of a file, with its line and column.
#[must_use]
pub fn find_syntax_error(file: &SourceFile) -> Option<Diagnostic> {
    find_syntax_fault(file, &SourceMap::new(file))
}

fn name_of(signature: &'static str) -> &'static str {
    signature.split('(').next().unwrap_or(signature)
}

fn check_file(
    file: &SourceFile,
    known: &DeclaredNames<'_>,
    methods: &[(&str, Signature)],
    language: &TestLanguage,
) -> Vec<Diagnostic> {
    let source_map = SourceMap::new(file);
    if let Some(fault) = find_syntax_fault(file, &source_map) {
        return vec![fault];
    }
    // The tests still run if the parser fails at syntax that it does not know.
    let parsed = catch_unwind(|| parse_fallible(&file.text, LuaVersion::luau()));
    let Some(ast) = parsed.ok().filter(|parsed| parsed.errors().is_empty()).map(|parsed| parsed.into_ast()) else {
        return Vec::new();
    };
    let mut found = find_unknown_variables(&ast, &source_map, language);
    let mut calls = TestCalls::default();
    calls.visit_ast(&ast);
    let is_expected = |span: (usize, usize)| calls.failing.iter().any(|(from, to)| *from <= span.0 && span.1 <= *to);
    for (method, arguments) in &calls.list {
        found.extend(check_call(&source_map, (method, arguments), known, methods));
    }
    found.retain(|(_, finding)| !is_expected(finding.span));
    found.truncate(MAX_FINDINGS);
    found.into_iter().map(|(code, finding)| finding.into_diagnostic(code, Severity::Error)).collect()
}

fn find_unknown_variables(
    ast: &Ast,
    source_map: &SourceMap<'_>,
    language: &TestLanguage,
) -> Vec<(&'static str, Finding)> {
    let names = ResolvedNames::resolve(ast.nodes(), &BTreeSet::new());
    let unknown = names.free.iter().filter(|free| !language.globals.contains(&free.name));
    let finding = |free: &FreeName<'_>| {
        let variables = names.variables.iter().map(|variable| variable.name);
        let known: Vec<&str> = free.near.into_iter().chain(variables).chain(language.globals.iter().copied()).collect();
        let near = motherlode_content::diagnostic::nearest(free.name, known).filter(|_| free.name.len() > 1);
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let message = format!("unknown name `{}`: tests have no such variable", free.name);
        ("unknown-name", Finding::new(source_map, free.token, message).help(help))
    };
    unknown.map(finding).collect()
}

/// Reports an unknown method, and unknown names among the arguments of a known one.
fn check_call(
    source_map: &SourceMap<'_>,
    (method, arguments): (&TokenReference, &[Option<TokenReference>]),
    known: &DeclaredNames<'_>,
    methods: &[(&str, Signature)],
) -> Vec<(&'static str, Finding)> {
    let Some(name) = identifier(method) else { return Vec::new() };
    let Some((_, signature)) = methods.iter().find(|(known, _)| *known == name) else {
        let help = suggestion(name, methods.iter().map(|(known, _)| *known));
        let finding = Finding::new(source_map, method, format!("unknown method `{TEST}.{name}`")).help(help);
        return vec![("unknown-function", finding)];
    };
    let (mut found, mut context) = (Vec::new(), NameContext::default());
    for (argument, &expected) in arguments.iter().zip(&signature.expected) {
        let Some((token, text)) = argument.as_ref().and_then(|token| Some((token, literal(token)?))) else { continue };
        context.add(expected, text, known.d);
        let Some((code, noun)) = sort_of(expected, context) else { continue };
        if known.is_valid(expected, text, context) {
            continue;
        }
        let of = known.owner(expected, context);
        let help = suggestion(text, known.names(expected, context).unwrap_or_default());
        let message = format!("unknown {noun} `{text}`{of} in `{TEST}.{name}`");
        found.push((code, Finding::new(source_map, token, message).help(help)));
    }
    found
}

/// The code and the noun for an unknown name; `None`: not checked.
fn sort_of(expected: ExpectedName, context: NameContext) -> Option<(&'static str, &'static str)> {
    Some(match expected {
        ExpectedName::Name(NameKind::Counter) => ("unknown-counter", "counter"),
        ExpectedName::Name(NameKind::Zone) => ("unknown-zone", "zone"),
        ExpectedName::Name(NameKind::Grid) => ("unknown-grid", "grid"),
        ExpectedName::Name(NameKind::Kind) => ("unknown-kind", "kind"),
        ExpectedName::Name(NameKind::Prompt) => ("unknown-prompt", "prompt"),
        ExpectedName::Name(NameKind::Phase) => ("unknown-phase", "phase"),
        ExpectedName::Name(NameKind::Event) => ("unknown-event", "event"),
        ExpectedName::Name(NameKind::Attribute) if context.kind.is_some() => ("unknown-attribute", "attribute"),
        ExpectedName::Id => ("unknown-definition", "definition"),
        _ => return None,
    })
}

/// The calls of methods of `t` in a file.
#[derive(Default)]
struct TestCalls {
    /// Method, and the arguments that are string literals.
    list: Vec<(TokenReference, Vec<Option<TokenReference>>)>,
    /// Byte ranges of calls that must fail.
    failing: Vec<(usize, usize)>,
}

impl Visitor for TestCalls {
    fn visit_function_call(&mut self, call: &FunctionCall) {
        let mut suffixes = call.suffixes();
        let (Prefix::Name(table), Some(Suffix::Index(Index::Dot { name, .. })), Some(Suffix::Call(given))) =
            (call.prefix(), suffixes.next(), suffixes.next())
        else {
            return;
        };
        let Call::AnonymousCall(arguments) = given else { return };
        if identifier(table) != Some(TEST) {
            return;
        }
        if identifier(name) == Some(ERROR) {
            let range = call.range();
            self.failing.extend(range.map(|(start, end)| (start.bytes(), end.bytes())));
        }
        let arguments = match arguments {
            FunctionArgs::Parentheses { arguments, .. } => arguments.iter().map(text_of).collect(),
            FunctionArgs::String(token) => vec![Some(token.clone())],
            _ => Vec::new(),
        };
        self.list.push((name.clone(), arguments));
    }
}

fn text_of(argument: &Expression) -> Option<TokenReference> {
    match argument {
        Expression::String(token) => Some(token.clone()),
        _ => None,
    }
}
