//! The schemas match the reader: every shipped file fits, and unknown keys do not.

use std::path::{Path, PathBuf};

use motherlode_check::schema::schemas;
use serde_json::Value;

use crate::shipped::{load, root};

fn games() -> Vec<(PathBuf, String)> {
    let roots = [
        root().to_path_buf(),
        root().join("benches/packs"),
        root().join("tests/cli/packs"),
        root().join("tests/mutations/packs"),
    ];
    let of = |root: PathBuf| {
        let ids = motherlode::find_packs(&root).unwrap().into_iter();
        ids.map(move |id| (root.clone(), id)).collect::<Vec<_>>()
    };
    roots.into_iter().flat_map(of).collect()
}

/// Every file of every game, with its schema.
fn files() -> Vec<(PathBuf, Value)> {
    let mut found = Vec::new();
    for (root, id) in games() {
        for (stem, schema) in schemas(load(&root, &id).declarations()) {
            let path = root.join(format!("content/{id}/{stem}.toml"));
            if path.exists() {
                found.push((path, schema));
            }
        }
    }
    found
}

fn toml(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    let table: toml::Table = toml::from_str(&text).unwrap();
    serde_json::to_value(table).unwrap()
}

/// Collects every table of a document, by its path.
fn tables(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            found.push(path.to_owned());
            for (key, value) in map {
                tables(value, &format!("{path}/{key}"), found);
            }
        }
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate() {
                tables(value, &format!("{path}/{at}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn every_file_of_every_game_fits_its_schema() {
    let files = files();
    for (path, schema) in &files {
        let shown = path.display();
        let validator = jsonschema::draft7::new(schema).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let errors: Vec<String> =
            validator.iter_errors(&toml(path)).map(|error| format!("{} at {}", error, error.instance_path())).collect();
        assert!(errors.is_empty(), "{shown}: {errors:#?}");
    }
    assert!(files.len() > 30, "{}", files.len());
}

#[test]
fn an_unknown_key_fits_no_schema() {
    for (path, schema) in files() {
        let validator = jsonschema::draft7::new(&schema).unwrap();
        let document = toml(&path);
        let mut places = Vec::new();
        tables(&document, "", &mut places);
        // The default of an attribute has the attribute's type.
        for place in places.iter().filter(|place| !place.ends_with("/default")) {
            let mut wrong = document.clone();
            let table = wrong.pointer_mut(place).unwrap().as_object_mut().unwrap();
            // An invalid name is wrong even where keys are names.
            table.insert("No Such Key".to_owned(), serde_json::json!({}));
            assert!(!validator.is_valid(&wrong), "{}{place}", path.display());
        }
    }
}

#[test]
fn one_mistake_is_one_error() {
    let mistakes = [
        ("imperial_miners", "events", "{ coins = 3 }", "{ coin = 3 }"),
        ("imperial_miners", "events", "\"tremor\"", "\"tremro\""),
        (
            "imperial_miners",
            "events",
            "{ n = 1, per = \"two_carts\", most = 3 }",
            "{ n = 1, pre = \"two_carts\", most = 3 }",
        ),
        ("imperial_miners", "events", "when = \"feature\"", "when = \"featrue\""),
        ("miners_lagoon", "equipment", "{ gain = { money = 2 } }", "{ gain = { mony = 2 } }"),
        ("miners_lagoon", "equipment", "{ gain = { money = 2 } }", "{ gian = { money = 2 } }"),
        ("krysis", "fighters", "speed = 9", "speed = \"fast\""),
        ("atacama", "phases", "turns = ", "trns = "),
        ("krysis", "game", "type = \"integer\", min = 0", "type = \"integer\", min = \"0\""),
    ];
    for (game, stem, right, wrong) in mistakes {
        let (_, schema) = schemas(load(root(), game).declarations()).into_iter().find(|(of, _)| of == stem).unwrap();
        let text = std::fs::read_to_string(root().join(format!("content/{game}/{stem}.toml"))).unwrap();
        assert!(text.contains(right), "{game}/{stem}: {right}");
        let table: toml::Table = toml::from_str(&text.replacen(right, wrong, 1)).unwrap();
        let document = serde_json::to_value(table).unwrap();
        let validator = jsonschema::draft7::new(&schema).unwrap();
        let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert_eq!(errors.len(), 1, "{game}/{stem}: {wrong}: {errors:#?}");
        assert!(errors[0].len() < 2000, "an error of a choice quotes the whole choice: {}", errors[0]);
    }
}
