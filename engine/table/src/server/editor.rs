//! Cards as forms: the fields of a card, and the check of an edited card before it is saved.
//!
//! A draft names the cells that a person changed, each with the value that the form showed. They are applied to the file as it is now.
//! So an edit of another cell merges with a change of the file, and an edit of a cell that has changed since is refused.

use std::collections::BTreeMap;

use motherlode::declare::Declarations;
use motherlode::{Diagnostic, Diagnostics, Pack, Severity};
use motherlode_check::references::{Reference, references};
use motherlode_content::is_name;
use motherlode_content::sheet::{Cell, Field, FieldForm, Grid, Import, Sheet};
use serde::{Deserialize, Serialize};

use crate::face::{Face, Fact};

/// Shown for a value with an error.
const DOUBT: &str = "?";

/// The form of a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CardForm {
    /// Kind and id: `tools.drill`.
    pub card: String,
    /// Displayed path of the file that holds the card.
    pub file: String,
    /// Its fields; the first one is the id.
    pub fields: Vec<CardField>,
    /// The verbs that effects may use.
    pub verbs: Vec<VerbHelp>,
    /// Number of saves that can be taken back.
    pub saves: usize,
}

/// A field of a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CardField {
    /// Key of the TOML.
    pub name: String,
    /// Description; may be empty.
    pub text: String,
    /// How the value is written: `text`, `name`, `integer`, `boolean`, `list`, `amounts`, `effect` or `toml`.
    pub form: &'static str,
    /// The names that the value may have; empty: any.
    pub names: Vec<String>,
    /// Range of an integer.
    pub range: Option<[i32; 2]>,
    /// The value; empty: the card does not set it.
    pub value: String,
    /// The value of a card that does not set it.
    pub default: String,
}

/// A verb, for an author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VerbHelp {
    /// Its name.
    pub name: String,
    /// Names of its arguments.
    pub args: Vec<String>,
    /// Text of its effect, with placeholders.
    pub text: String,
}

/// An edited card.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardDraft {
    /// Kind and id of the card whose form was edited: `tools.drill`.
    pub card: String,
    /// Id of a new card that begins as a copy of that card; `None`: the card itself changes.
    #[serde(default)]
    pub new: Option<String>,
    /// The changed cells, by field.
    pub cells: BTreeMap<String, CellEdit>,
}

/// A changed cell.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellEdit {
    /// The value that the form showed.
    pub was: String,
    /// The new value.
    pub now: String,
}

/// The result of the check of an edited card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckedCard {
    /// The face of the edited card; `None`: it cannot be drawn.
    pub face: Option<Face>,
    /// Faults and warnings.
    pub faults: Vec<FieldFault>,
    /// The changes of the file, each in one line.
    pub changes: Vec<String>,
    /// Whether the file has been written.
    pub saved: bool,
}

/// A fault of an edited card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldFault {
    /// The field; `None`: the fault lies elsewhere.
    pub field: Option<String>,
    /// The mistake.
    pub message: String,
    /// The likely fix.
    pub help: Option<String>,
    /// Whether it prevents saving.
    pub is_error: bool,
    /// The value that the file has by now, if it has changed since the form was made.
    pub changed: Option<String>,
}

impl FieldFault {
    fn error(field: Option<&str>, message: impl Into<String>, help: Option<String>) -> Self {
        Self { field: field.map(str::to_owned), message: message.into(), help, is_error: true, changed: None }
    }
}

/// The text of a file, as an edited card changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedText {
    /// Displayed path of the file.
    pub path: String,
    /// The text of the file that was read; empty if there was no file.
    pub before: String,
    /// The new text.
    pub after: String,
}

/// The form of a card. With mods, `layer` selects the file: n is that of the n-th mod, and 0 that of the game.
///
/// # Errors
/// There is no such card, or the files have faults: a sentence.
pub fn card_form(pack: &Pack, layer: usize, card: &str) -> Result<CardForm, String> {
    let declarations = declarations(pack)?;
    let (kind, id) = split(card)?;
    let sheet = sheet(pack, &declarations, kind, layer)?;
    let cells = row(&sheet, id)?;
    let fields = sheet.fields().into_iter().zip(&cells).map(|(field, cell)| CardField::new(field, cell)).collect();
    let verb = |(name, verb): (&String, &motherlode::declare::Verb)| VerbHelp {
        name: name.clone(),
        args: verb.args.keys().cloned().collect(),
        text: verb.text.clone(),
    };
    let verbs = declarations.verbs.iter().map(verb).collect();
    Ok(CardForm { card: card.to_owned(), file: sheet.path.clone(), fields, verbs, saves: 0 })
}

impl CardField {
    fn new(field: Field, cell: &Cell) -> Self {
        let (mut names, mut range) = (Vec::new(), None);
        let form = match field.form {
            FieldForm::Text => "text",
            FieldForm::Integer { min, max } => {
                range = Some([min, max]);
                "integer"
            }
            FieldForm::Boolean => "boolean",
            FieldForm::Effect => "effect",
            FieldForm::Toml => "toml",
            FieldForm::Name(all) => {
                names = all;
                "name"
            }
            FieldForm::List(all) => {
                names = all;
                "list"
            }
            FieldForm::Amounts(all) => {
                names = all;
                "amounts"
            }
        };
        let Field { name, text, default, .. } = field;
        Self { name, text, form, names, range, value: cell.to_string(), default }
    }
}

/// Checks an edited card as if it were saved. Returns the result, and the new text of the file if there is no error.
///
/// # Errors
/// There is no such card or field, or the files have faults: a sentence.
pub fn check_card(pack: &Pack, layer: usize, draft: &CardDraft) -> Result<(CheckedCard, Option<SavedText>), String> {
    let declarations = declarations(pack)?;
    let (kind, id) = split(&draft.card)?;
    let sheet = sheet(pack, &declarations, kind, layer)?;
    let fields = sheet.fields();
    let mut cells = row(&sheet, id)?;
    let mut faults = Vec::new();
    let mut edited = id;
    if let Some(new) = &draft.new {
        faults.extend(fault_of_id(&declarations, kind, new));
        cells[0] = Cell::text(new.as_str());
        edited = new;
    }
    for (name, CellEdit { was, now }) in &draft.cells {
        let place = fields.iter().skip(1).position(|field| field.name == *name);
        let Some(place) = place.map(|place| place + 1) else {
            return Err(format!("cards of `{kind}` have no `{name}`: open the form again"));
        };
        let current = cells[place].to_string();
        if draft.new.is_none() && current != *was && current != *now {
            let shown = if current.is_empty() { "has been removed".to_owned() } else { format!("is now `{current}`") };
            let help = "reload the form to see the changes; your edits stay".to_owned();
            let message = format!("the value in the file {shown}; the form showed `{was}`");
            let fault = FieldFault::error(Some(name), message, Some(help));
            faults.push(FieldFault { changed: Some(current), ..fault });
        }
        cells[place] = Cell::text(now.as_str());
    }
    if faults.iter().any(|fault| fault.field.as_deref() == Some("id")) {
        return Ok((CheckedCard { face: None, faults, changes: Vec::new(), saved: false }, None));
    }
    if draft.new.is_some() {
        faults.extend(fault_of_name(&fields, &cells, &row(&sheet, id)?));
    }
    let renamed = match &draft.new {
        Some(new) => {
            let references = references(pack, &declarations, &[]);
            name_itself(&references, &sheet, &fields, (id, new), draft, &mut cells)
        }
        None => Vec::new(),
    };
    let header = fields.iter().map(|field| Cell::text(field.name.as_str())).collect();
    let of = |column: usize| column.checked_sub(1).and_then(|at| fields.get(at)).map(|field| field.name.as_str());
    let grid = Grid::read(&sheet, &[header, cells]);
    let grid = grid.map_err(|faults| faults.first().map_or_else(String::new, |fault| fault.message.clone()))?;
    let import = grid.import(&sheet, false);
    let unread = import.faults.iter().map(|one| FieldFault::error(of(one.column), &one.message, one.help.clone()));
    faults.extend(unread);
    let mut changed = pack.clone();
    if !import.changes.is_empty() {
        changed.set_text(&sheet.path, import.text.clone());
    }
    let (after, found) = match motherlode_check::check(&changed) {
        Ok(checked) => (checked.game.declarations().clone(), checked.warnings),
        Err(found) => (motherlode_content::read(&changed).0, found),
    };
    faults.extend(faults_of(&found, &sheet, &grid, &import, &of));
    let face = face_of(&after, kind, edited).map(|face| with_doubts(face, &after, kind, &faults));
    let changes = import.changes.iter().map(shown).chain(renamed).collect();
    let can_save = !faults.iter().any(|fault| fault.is_error);
    let saved = SavedText { path: sheet.path.clone(), before: sheet.text().to_owned(), after: import.text.clone() };
    Ok((CheckedCard { face, faults, changes, saved: false }, can_save.then_some(saved)))
}

/// Lets a copy name itself where the other card names itself, except in edited fields. Returns the changes.
fn name_itself(
    all: &[Reference],
    sheet: &Sheet<'_>,
    fields: &[Field],
    (old, new): (&str, &str),
    draft: &CardDraft,
    cells: &mut [Cell],
) -> Vec<String> {
    let all: Vec<&Reference> = all.iter().filter(|one| one.file == sheet.path).collect();
    let Some(card) = all.iter().find(|one| one.declares && one.symbol.name == old) else { return Vec::new() };
    let uses = all.iter().filter(|one| !one.declares && one.symbol == card.symbol);
    let keys = sheet.keys_at(old, uses.map(|one| one.span.0));
    let mut changes = Vec::new();
    for (field, cell) in fields.iter().zip(cells).skip(1) {
        if keys.contains(&field.name) && !draft.cells.contains_key(&field.name) {
            let was = cell.to_string();
            let now = with_name(&was, old, new);
            changes.push(format!("{}: {was} \u{2192} {now}", field.name));
            *cell = Cell::text(now);
        }
    }
    changes
}

/// A text with another name in place of each whole word `old`.
fn with_name(text: &str, old: &str, new: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let parts = text.split_inclusive(|c| !is_letter(c)).map(|part| {
        let word = part.trim_end_matches(|c| !is_letter(c));
        if word == old { format!("{new}{}", &part[word.len()..]) } else { part.to_owned() }
    });
    parts.collect()
}

fn face_of(declarations: &Declarations, kind: &str, id: &str) -> Option<Face> {
    let kind = declarations.kinds.get_index_of(kind)?;
    let definition = declarations.definitions_of(kind).iter().find(|one| one.id == id)?;
    Face::new(declarations, definition)
}

/// A face with `?` for each printed value that has an error: its default would look like a valid value.
fn with_doubts(mut face: Face, declarations: &Declarations, kind: &str, faults: &[FieldFault]) -> Face {
    let attributes = declarations.kinds.get(kind).map(|kind| &kind.attributes);
    for fault in faults.iter().filter(|fault| fault.is_error) {
        let Some(field) = fault.field.as_deref() else { continue };
        if field == "name" {
            face.name = DOUBT.to_owned();
        }
        if attributes.and_then(|all| all.get(field)).is_none_or(|attribute| attribute.internal) {
            continue;
        }
        let (of, label) = (field.to_owned(), field.replace('_', " "));
        let doubt = Fact { of, label, value: DOUBT.to_owned(), sides: Vec::new() };
        match face.facts.iter_mut().find(|fact| fact.of == field) {
            Some(fact) => *fact = doubt,
            None => face.facts.push(doubt),
        }
        // Its texts may use the value.
        face.text.clone_from(&fault.message);
        face.effects.clear();
    }
    face
}

/// The faults of the changed game: those of the card at their fields, and the errors elsewhere.
fn faults_of<'f>(
    found: &Diagnostics,
    sheet: &Sheet<'_>,
    grid: &Grid,
    import: &Import,
    of: &impl Fn(usize) -> Option<&'f str>,
) -> Vec<FieldFault> {
    let fault = |one: &Diagnostic| {
        let is_error = one.severity == Severity::Error;
        match grid.fault(sheet, import, one) {
            Some(cell) => {
                Some(FieldFault { is_error, ..FieldFault::error(of(cell.column), &cell.message, cell.help.clone()) })
            }
            None if is_error => Some(FieldFault::error(None, sentence(one), one.help.clone())),
            None => None,
        }
    };
    found.list.iter().filter_map(fault).collect()
}

/// A change in one line: `cost: 3 -> 4`.
fn shown(change: &motherlode_content::sheet::Change) -> String {
    let empty = |text: &str| if text.is_empty() { "nothing".to_owned() } else { text.replace('\n', " ") };
    match &change.key {
        Some(key) => format!("{key}: {} \u{2192} {}", empty(&change.old), empty(&change.new)),
        None => format!("new card `{}`", change.id),
    }
}

/// A fault with its place.
fn sentence(one: &Diagnostic) -> String {
    format!("{}:{}: {}", one.file, one.line, one.message)
}

/// The declarations of a pack without errors.
fn declarations(pack: &Pack) -> Result<Declarations, String> {
    let (declarations, found) = motherlode_content::read(pack);
    match found.list.iter().find(|one| one.severity == Severity::Error) {
        Some(first) => Err(format!("the files have an error, which comes first: {}", sentence(first))),
        None => Ok(declarations),
    }
}

fn split(card: &str) -> Result<(&str, &str), String> {
    card.split_once('.').ok_or_else(|| format!("`{card}` is not a card"))
}

fn sheet<'p>(pack: &'p Pack, declarations: &'p Declarations, kind: &str, layer: usize) -> Result<Sheet<'p>, String> {
    let index = declarations.kinds.get_index_of(kind);
    let sheet = index.and_then(|index| Sheet::read(pack, declarations, index, layer));
    sheet.ok_or_else(|| format!("there is no kind `{kind}`"))
}

fn row(sheet: &Sheet<'_>, id: &str) -> Result<Vec<Cell>, String> {
    sheet.card(id).ok_or_else(|| format!("the files have no card `{id}` of kind `{}` any more", sheet.kind))
}

/// The fault of the id of a new card.
fn fault_of_id(declarations: &Declarations, kind: &str, new: &str) -> Option<FieldFault> {
    if !is_name(new) {
        let near = new.trim().to_lowercase().replace([' ', '-'], "_");
        let help =
            if is_name(&near) { format!("write `{near}`") } else { "write a name such as `toll_stair`".to_owned() };
        let message = if new.is_empty() { "the card needs an id".to_owned() } else { format!("`{new}` is not an id") };
        return Some(FieldFault::error(Some("id"), message, Some(help)));
    }
    let kind = declarations.kinds.get_index_of(kind)?;
    let is_taken = declarations.definitions_of(kind).iter().any(|one| one.id == new);
    is_taken
        .then(|| FieldFault::error(Some("id"), format!("there is a card `{new}`"), Some("use another id".to_owned())))
}

/// A warning if a new card has the name of the card that it is a copy of.
fn fault_of_name(fields: &[Field], cells: &[Cell], copied: &[Cell]) -> Option<FieldFault> {
    let place = fields.iter().position(|field| field.name == "name")?;
    let message = format!("the new card has the name of the copied one, `{}`", cells[place]);
    let fault = FieldFault::error(Some("name"), message, Some("give it a name of its own".to_owned()));
    (cells[place] == copied[place] && !cells[place].is_blank()).then_some(FieldFault { is_error: false, ..fault })
}
