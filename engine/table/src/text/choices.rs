//! Questions in the terminal.

use crate::face::{Face, Faces};
use crate::paint;
use crate::text::card;
use crate::view::{Card, ChoiceTarget, ChoiceView, Question, View};

/// Maximum cells that are listed line by line; more cells form a paragraph.
const MAX_LISTED: usize = 12;

/// The question with the cards that it names, and its choices.
pub fn question(view: &View, question: &Question, faces: &Faces, width: usize) -> String {
    let strong = paint::strong();
    let seat = view.seats.get(usize::from(question.seat));
    let style = paint::style(seat.map_or("", |seat| &seat.colour)).bold();
    let name = seat.map_or("", |seat| seat.name.as_str());
    let asked = format!("{strong}{}{strong:#}", question.text);
    let mut out = paint::hanging(&format!("{style}{name}{style:#}:"), 4, &asked, width);
    for face in question.about.iter().filter_map(|id| faces.get(id)).filter(|face| !face.line().is_empty()) {
        let shown = Card { face: Some(face.id.clone()), name: face.name.clone(), details: Vec::new(), place: None };
        out.push_str(&card::line("  ", &shown, faces, width));
    }
    let together = in_one_paragraph(&question.choices);
    let rest: Vec<&ChoiceView> =
        question.choices.iter().filter(|choice| !together.iter().any(|one| one.index == choice.index)).collect();
    if !together.is_empty() {
        out.push_str(&paint::hanging(" ", 2, &ranges(view, &together), width));
    }
    let typed = rest.iter().map(|choice| choice.typed.chars().count()).max().unwrap_or(0);
    for choice in rest {
        out.push_str(&listed(choice, typed, faces, width));
    }
    out
}

/// The choices that fit into one paragraph: numbers and cells without a note, or all cells if there are many.
/// The board shows the contents of the cells.
fn in_one_paragraph(choices: &[ChoiceView]) -> Vec<&ChoiceView> {
    let short = |choice: &&ChoiceView| choice.label == choice.typed && choice.face.is_none();
    let plain = |choice: &&ChoiceView| {
        (number(choice).is_some() || matches!(choice.on, ChoiceTarget::Cell { .. }))
            && short(choice)
            && choice.note.is_empty()
    };
    let is_cell = |choice: &&ChoiceView| matches!(choice.on, ChoiceTarget::Cell { .. }) && short(choice);
    let cells: Vec<&ChoiceView> = choices.iter().filter(is_cell).collect();
    if cells.len() > MAX_LISTED {
        return cells;
    }
    let plain: Vec<&ChoiceView> = choices.iter().filter(plain).collect();
    if plain.len() > 1 { plain } else { Vec::new() }
}

/// A choice on its own line: the text to type, the action, and the printed text of the card.
fn listed(choice: &ChoiceView, typed: usize, faces: &Faces, width: usize) -> String {
    let strong = paint::strong();
    let face = choice.face.as_ref().and_then(|id| faces.get(id)).map(Face::line).unwrap_or_default();
    let mut more = choice.note.clone();
    // Skip a card text that repeats the name of the choice.
    if !face.is_empty() && face.trim_end_matches('.') != choice.label {
        let gap = if more.is_empty() { "" } else { " · " };
        more = format!("{more}{gap}{face}");
    }
    let dash = if more.is_empty() { String::new() } else { format!("– {more}") };
    let own =
        if choice.label == choice.typed { String::new() } else { format!("  {strong}{}{strong:#}", choice.label) };
    paint::hanging(&format!("  {:>typed$}{own}", choice.typed), typed + 8, &dash, width)
}

/// The number that a choice is, also one with places on the table.
fn number(choice: &ChoiceView) -> Option<i32> {
    match choice.on {
        ChoiceTarget::Number(number) => Some(number),
        ChoiceTarget::Places(_) => choice.label.parse().ok(),
        _ => None,
    }
}

/// Joins choices: `a number from 0 to 4`, `1, 2 or 4`, `a1 to c1, e1`.
fn ranges(view: &View, choices: &[&ChoiceView]) -> String {
    let numbers: Vec<i32> = choices.iter().filter_map(|choice| number(choice)).collect();
    let in_a_row = numbers.len() == choices.len() && numbers.windows(2).all(|two| two[1] == two[0].saturating_add(1));
    match (&numbers[..], in_a_row) {
        ([first, .., last], true) if numbers.len() == 2 => format!("{first} or {last}"),
        ([first, .., last], true) => format!("a number from {first} to {last}"),
        ([.., last], _) if numbers.len() == choices.len() => {
            let others: Vec<String> = numbers[..numbers.len() - 1].iter().map(ToString::to_string).collect();
            format!("{} or {last}", others.join(", "))
        }
        _ => cells(view, choices),
    }
}

/// Joins cells; consecutive cells of a row become one range.
fn cells(view: &View, choices: &[&ChoiceView]) -> String {
    let place = |choice: &ChoiceView| match &choice.on {
        ChoiceTarget::Cell { board, seat, cell } => {
            let board = view.board(board, *seat)?;
            let at = board.cells.iter().position(|one| one.id == *cell)?;
            Some((at, board.cells[at].row))
        }
        _ => None,
    };
    let mut stretches: Vec<(&ChoiceView, &ChoiceView)> = Vec::new();
    for choice in choices {
        let follows = |last: &ChoiceView| match (place(last), place(choice)) {
            (Some((one, row)), Some((two, other))) => two == one + 1 && row == other,
            _ => false,
        };
        match stretches.last_mut() {
            Some((_, last)) if follows(last) => *last = choice,
            _ => stretches.push((choice, choice)),
        }
    }
    let word = |(first, last): &(&ChoiceView, &ChoiceView)| {
        if first.index == last.index { first.typed.clone() } else { format!("{} to {}", first.typed, last.typed) }
    };
    stretches.iter().map(word).collect::<Vec<_>>().join(", ")
}
