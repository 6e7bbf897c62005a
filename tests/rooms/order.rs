//! The declared order of files in a module.

use std::collections::{BTreeMap, BTreeSet};

/// The order in which files may use one another.
#[derive(Debug)]
pub struct Order {
    ranks: BTreeMap<String, usize>,
    /// Exempt groups of files that may use one another.
    circles: Vec<BTreeSet<String>>,
}

impl Order {
    /// Parses `Direction: a, b <- c` from docs; the text ends at an empty line. `*` means every file not named.
    pub fn read(docs: &str) -> Option<Self> {
        let mut ranks = BTreeMap::new();
        for (rank, level) in paragraph(docs, "Direction:").next()?.split("<-").enumerate() {
            for name in level.split(',') {
                ranks.insert(plain(name), rank);
            }
        }
        let circles = paragraph(docs, "Circle:").map(|text| {
            let (names, reason) = text.split_once(':').expect("a circle has a reason: `Circle: a, b: reason`");
            assert!(reason.trim().len() > 20, "a circle has a reason: {text}");
            names.split(',').map(plain).collect()
        });
        Some(Self { circles: circles.collect(), ranks })
    }

    /// The fault of one file using another, if any.
    pub fn fault(&self, from: &str, to: &str) -> Option<String> {
        let others = |name: &str| self.ranks.get("*").filter(|_| name != "self");
        let rank = |name: &str| self.ranks.get(name).or_else(|| others(name)).copied();
        let exempt = self.circles.iter().any(|circle| circle.contains(from) && circle.contains(to));
        match (rank(from), rank(to)) {
            (Some(above), Some(below)) if below < above => None,
            _ if exempt => None,
            (Some(_), Some(_)) => Some(format!("`{from}` uses `{to}`, which does not stand before it")),
            (None, _) => Some(format!("`{from}` uses `{to}` and is not in the declared order")),
            (_, None) => Some(format!("`{from}` uses `{to}`, which is not in the declared order")),
        }
    }

    /// Differences between the declared names and the existing files.
    pub fn differences(&self, files: &BTreeSet<String>) -> Vec<String> {
        let declared: BTreeSet<String> =
            self.ranks.keys().filter(|name| !["self", "*"].contains(&name.as_str())).cloned().collect();
        let has_others = self.ranks.contains_key("*");
        let missing = files
            .difference(&declared)
            .filter(|_| !has_others)
            .map(|name| format!("`{name}` is not in the declared order"));
        let stale = declared.difference(files).map(|name| format!("there is no `{name}`, which the order names"));
        missing.chain(stale).collect()
    }
}

/// The paragraphs that begin with a word, each as one line.
fn paragraph<'d>(docs: &'d str, word: &'d str) -> impl Iterator<Item = String> + 'd {
    let lines =
        move |from: usize| docs[from..].lines().map(str::trim).take_while(|line| !line.is_empty() && *line != "```");
    let starts =
        docs.match_indices(word).map(|(at, _)| at).filter(|&at| docs[..at].is_empty() || docs[..at].ends_with('\n'));
    starts.map(move |at| {
        let text: Vec<&str> = lines(at).collect();
        // The next paragraph may follow without an empty line.
        let more =
            text.iter().skip(1).take_while(|line| !line.starts_with("Direction:") && !line.starts_with("Circle:"));
        let text: Vec<&str> = text.iter().take(1).chain(more).copied().collect();
        text.join(" ")[word.len()..].to_owned()
    })
}

fn plain(name: &str) -> String {
    name.trim().trim_matches(['`', '.']).to_owned()
}

#[test]
fn an_order_decides_which_files_may_use_which() {
    let order = Order::read(
        "The room.\n\nDirection: `a`, `b` <- `c`\n<- `d`\nCircle: `a`, `b`: they read one another's tables.\n\nMore.",
    )
    .unwrap();
    assert_eq!(order.fault("d", "a"), None);
    assert_eq!(order.fault("a", "b"), None);
    assert!(order.fault("a", "c").is_some() && order.fault("c", "x").is_some() && order.fault("c", "c").is_some());
    let lints = Order::read("Direction: self <- * <- last").unwrap();
    assert_eq!((lints.fault("a", "self"), lints.fault("last", "a")), (None, None));
    assert!(lints.fault("a", "b").is_some() && lints.fault("a", "last").is_some());
    assert!(lints.differences(&["a", "last"].map(str::to_owned).into()).is_empty());
    let files = ["a", "b", "c", "e"].map(str::to_owned).into();
    assert_eq!(
        order.differences(&files),
        ["`e` is not in the declared order", "there is no `d`, which the order names"]
    );
}
