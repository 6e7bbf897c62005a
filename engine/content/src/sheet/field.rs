//! The columns of a sheet as the fields of a form.

use super::form::Form;
use super::{Cell, Sheet};
use crate::declare::AttributeType;
use crate::limits::COPIES;

/// A field of a form, for one column of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Name of the column: the key of the TOML.
    pub name: String,
    /// Description of the attribute; may be empty.
    pub text: String,
    /// How a value is written.
    pub form: FieldForm,
    /// The value of a card that does not set it; empty: none.
    pub default: String,
}

/// How the value of a field is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldForm {
    /// Any text.
    Text,
    /// One of these names; any name if there are none.
    Name(Vec<String>),
    /// A whole number in a range, inclusive.
    Integer {
        /// Smallest.
        min: i32,
        /// Largest.
        max: i32,
    },
    /// `TRUE` or `FALSE`.
    Boolean,
    /// Values with commas. Each is one of these names, if there are any.
    List(Vec<String>),
    /// `2 gold, 1 iron`, with these names.
    Amounts(Vec<String>),
    /// Verbs in their short form.
    Effect,
    /// TOML in one line.
    Toml,
}

impl Sheet<'_> {
    /// The fields of a card, without the text that the engine makes. The first one is the id.
    #[must_use]
    pub fn fields(&self) -> Vec<Field> {
        let kind = self.declarations.kinds.get(self.kind.as_str());
        let columns = self.columns.iter().filter(|column| column.form != Form::Made);
        let field = |column: &super::Column| {
            let attribute = kind.and_then(|kind| kind.attributes.get(&column.name));
            let form = match (attribute, &column.form) {
                (Some(attribute), _) => self.form_of(&attribute.of),
                (None, Form::Integer) => FieldForm::Integer { min: *COPIES.start(), max: *COPIES.end() },
                (None, Form::Effect | Form::Effects) => FieldForm::Effect,
                (None, Form::Toml) => FieldForm::Toml,
                (None, _) if column.name == "id" => FieldForm::Name(Vec::new()),
                (None, _) => FieldForm::Text,
            };
            let default = column.default.as_ref().map(|value| column.form.write(value, &self.declarations.verbs));
            let text = attribute.map_or_else(String::new, |attribute| attribute.text.clone());
            Field { name: column.name.clone(), text, form, default: default.unwrap_or_default().to_string() }
        };
        columns.map(field).collect()
    }

    fn form_of(&self, of: &AttributeType) -> FieldForm {
        match of {
            AttributeType::Integer { min, max } => FieldForm::Integer { min: *min, max: *max },
            AttributeType::Boolean => FieldForm::Boolean,
            AttributeType::Text(names) if names.is_empty() => FieldForm::Text,
            AttributeType::List(of, _) => FieldForm::List(self.names_of(of)),
            AttributeType::Amounts(names) => FieldForm::Amounts(names.clone()),
            name => FieldForm::Name(self.names_of(name)),
        }
    }

    /// The names that a value may be; empty: any.
    fn names_of(&self, of: &AttributeType) -> Vec<String> {
        let d = self.declarations;
        match of {
            AttributeType::Text(names) => names.clone(),
            AttributeType::Id(kind) => d.definitions_of(*kind).iter().map(|one| one.id.clone()).collect(),
            AttributeType::CounterName => d.counters.keys().cloned().collect(),
            AttributeType::ZoneName => d.zones.keys().cloned().collect(),
            _ => Vec::new(),
        }
    }

    /// The cells of a card, as many as there are fields. A card of a lower layer counts, too.
    #[must_use]
    pub fn card(&self, id: &str) -> Option<Vec<Cell>> {
        let row = self.rows.iter().find(|row| row.id == id).cloned().or_else(|| self.below(id))?;
        Some(
            row.cells
                .into_iter()
                .zip(&self.columns)
                .filter(|(_, column)| column.form != Form::Made)
                .map(|(cell, _)| cell)
                .collect(),
        )
    }
}
