//! Combines modules of the page into one script.
//!
//! A page opened from a disk cannot import modules. So each module becomes a function that returns its exports:
//! `const face_js = (() => { ... return { drawFace, ... }; })();`, and an import reads them from there.

/// The modules that draw faces, each after those that it imports.
pub const FACE: [Module; 6] = [
    ("words", include_str!("server/page/words.js")),
    ("dom", include_str!("server/page/dom.js")),
    ("deck", include_str!("server/page/deck.js")),
    ("icon", include_str!("server/page/icon.js")),
    ("picture", include_str!("server/page/picture.js")),
    ("face", include_str!("server/page/face.js")),
];

/// The modules of printed pages, which come after [`FACE`].
pub const PRINT: [Module; 6] = [
    ("ground", include_str!("server/page/ground.js")),
    ("fit", include_str!("server/page/fit.js")),
    ("sheet", include_str!("server/page/sheet.js")),
    ("boardpage", include_str!("server/page/boardpage.js")),
    ("booklet", include_str!("server/page/booklet.js")),
    ("print", include_str!("server/page/print.js")),
];

/// The module of faces on other pages, which comes after [`FACE`].
pub const POPUP: [Module; 1] = [("popup", include_str!("server/page/popup.js"))];

/// Name and source of a module.
type Module = (&'static str, &'static str);

/// Modules as one script, each after those that it imports.
pub fn combined(modules: &[&[Module]]) -> String {
    modules.concat().iter().map(|(name, source)| function(name, source)).collect()
}

/// A module as a function that is called at once. Statements `import` and `export` begin their lines.
fn function(name: &str, source: &str) -> String {
    let mut body = String::new();
    let mut exports: Vec<&str> = Vec::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("import ") {
            let mut statement = line.to_owned();
            while !statement.ends_with(';') {
                let Some(more) = lines.next() else { break };
                statement += more;
            }
            body += &import(&statement);
        } else if let Some(declaration) = line.strip_prefix("export ") {
            exports.extend(declared(declaration));
            body += declaration;
        } else {
            body += line;
        }
        body.push('\n');
    }
    format!("const {name}_js = (() => {{\n{body}return {{ {} }};\n}})();\n", exports.join(", "))
}

/// The name that a declaration declares: `draw` of `function draw(of) {`.
fn declared(declaration: &str) -> Option<&str> {
    let rest = ["const ", "function ", "class "].iter().find_map(|word| declaration.strip_prefix(word))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// `const { a, b: c } = face_js;` for `import { a, b as c } from './face.js';`.
fn import(statement: &str) -> String {
    let names = statement.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    let module = statement.split_once("'./").and_then(|(_, rest)| rest.split_once(".js'"));
    let (Some((names, _)), Some((module, _))) = (names, module) else { return statement.to_owned() };
    format!("const {{{}}} = {module}_js;", names.replace(" as ", ": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_functions() {
        let source =
            "import {\n  el,\n  hue as tone,\n} from './dom.js';\nexport const a = 1;\nexport function draw(of) {\n}\n";
        assert_eq!(
            function("face", source),
            "const face_js = (() => {\nconst {  el,  hue: tone,} = dom_js;\nconst a = 1;\nfunction draw(of) {\n}\n\
             return { a, draw };\n})();\n"
        );
    }

    #[test]
    fn every_import_names_an_export_of_an_earlier_module() {
        let mut known: Vec<(&str, Vec<&str>)> = Vec::new();
        for (name, source) in [&FACE[..], &PRINT, &POPUP].concat() {
            let text = function(name, source);
            assert!(!text.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")), "{name}");
            for line in text.lines().filter(|line| line.starts_with("const {") && line.ends_with("_js;")) {
                let (names, module) = line["const {".len()..].split_once("} = ").unwrap();
                let module = module.trim_end_matches("_js;");
                let exports = known.iter().find(|(known, _)| *known == module);
                let (_, exports) = exports.unwrap_or_else(|| panic!("{name} imports the later module {module}"));
                for one in
                    names.split(',').map(|one| one.split(':').next().unwrap().trim()).filter(|one| !one.is_empty())
                {
                    assert!(exports.contains(&one), "{name} imports `{one}`, which {module} does not export");
                }
            }
            let exports = source.lines().filter_map(|line| line.strip_prefix("export ")).filter_map(declared);
            known.push((name, exports.collect()));
        }
        assert!(!combined(&[&FACE, &PRINT, &POPUP]).contains("</script"));
    }
}
