//! Renders flags and effects of cards, actions and cells.

use maud::{Markup, html};

use super::chart::whisker;
use super::figures::{command_note, percent, plural, readable, signed, signed_interval};
use super::{Page, TOO_FEW};
use crate::effects::columns::{Figure, ItemColumn, item_columns, item_legend, sort_items};
use crate::effects::report::{Flag, ItemReport};
use crate::objective::Objective;

/// Flags with their signs and meanings.
const FLAGS: [(Flag, &str, &str); 4] = [
    (Flag::MustHave, "\u{25b2}", "one pick of it gains much, or doing without it costs much"),
    (
        Flag::Dominated,
        "\u{25bc}",
        "another choice is nearly always better, or another item of its kind is better by declaration",
    ),
    (Flag::Dead, "\u{2715}", "offered often, but hardly ever taken, and taking it costs something"),
    (Flag::NeverOffered, "\u{2205}", "never offered in these games, although others of its kind were"),
];

/// Renders the flagged items.
pub fn stands_out(page: &Page) -> Markup {
    let of =
        |flag: Flag| -> Vec<&ItemReport> { page.effects.items.iter().filter(|item| item.flag == Some(flag)).collect() };
    html! {
        section {
            h2 { "Flagged items" }
            @let is_empty = FLAGS.iter().all(|(flag, ..)| of(*flag).is_empty());
            @if page.has_too_few() {
                p.none { (TOO_FEW) }
            } @else if is_empty && page.effects.stopped {
                p.none { "No data: the run was stopped before all forks were played." }
            } @else if is_empty {
                p.none {
                    "No item is flagged as must-have, dominated, dead or never offered, after "
                    (plural(page.effects.blocks, "game")) " and about " (page.forks) " forks of each item."
                }
            }
            @if !page.has_too_few() { dl { @for (flag, sign, meaning) in FLAGS {
                @let items = of(flag);
                @if !items.is_empty() {
                    dt { (sign) " " (flag.text()) " " span.faint { "(" (items.len()) "): " (meaning) } }
                    dd { @for (number, item) in items.iter().enumerate() {
                        @if number > 0 { ", " } span data-kind=(item.sort) { (item.name) } " " span.faint { "(" (readable(&item.sort)) ")" }
                    } }
                }
            } } }
        }
    }
}

/// Renders the table of all items, those with the surest effects first.
pub fn table(page: &Page) -> Markup {
    let effects = &page.effects;
    let items = sort_items(&effects.items);
    let most = items.iter().filter_map(|item| item.pick).map(|pick| pick.value.abs() * 1.5).fold(0.1, f64::max);
    let (objective, columns) = (effects.objective, item_columns(effects.objective));
    let command = format!(
        "lode effects {} --bots {} --blocks {} --forks {}",
        page.setup,
        effects.bots.join(","),
        page.blocks,
        page.forks
    );
    html! {
        section {
            h2 { "Effects of cards, actions and cells" }
            p {
                "Played by " (effects.bots.join(", ")) ". The effect of picking an item is the " (objective.gain()) " by taking it \
                instead of the best other choice, in " (objective.unit()) ". Each fork plays the same position to the end with both \
                choices and the same random seed. The false-discovery rate of \u{2260} and of the flags must-have, dead and \
                dominated is held at 5\u{a0}%."
                (detectable(&items, objective))
            }
            @if items.is_empty() && page.has_too_few() {
                p.none { (TOO_FEW) }
            } @else if items.is_empty() && effects.stopped {
                p.none { "No data: the run was stopped before items were counted." }
            } @else if items.is_empty() {
                p.none { "No decision offered cards, actions or cells." }
            } @else { div.wide { table.sortable {
                thead { tr {
                    th { "name" } th { "kind" } th { "flag" } th { "picked, 95 % interval" }
                    @for column in &columns { th.n { (column.name) } }
                } }
                tbody { @for item in items { (row(item, most, objective, &columns)) } }
            } } }
            p.faint { (item_legend(&columns)) ". An empty cell means no data." }
            (command_note(&command))
        }
    }
}

/// Renders the size of effects that this many forks can detect.
fn detectable(items: &[&ItemReport], objective: Objective) -> Markup {
    let mut widths: Vec<f64> =
        items.iter().filter_map(|item| item.pick).map(|pick| pick.interval.high - pick.interval.low).collect();
    widths.retain(|width| *width > 0.0);
    widths.sort_by(f64::total_cmp);
    let Some(width) = widths.get(widths.len() / 2) else { return html! {} };
    let half = if objective.is_share() { format!("{:.0}", width * 50.0) } else { format!("{:.1}", width / 2.0) };
    html! {
        " The median interval is \u{b1}" (half) " " (objective.unit()) ": smaller effects need more --forks \
        and --blocks."
    }
}

fn row(item: &ItemReport, most: f64, objective: Objective, columns: &[ItemColumn]) -> Markup {
    let scale = if objective.is_share() { 100.0 } else { 1.0 };
    let flag = FLAGS.iter().find(|(flag, ..)| item.flag == Some(*flag));
    html! {
        tr {
            th scope="row" data-kind=(item.sort) { (item.name) }
            td { (readable(&item.sort)) }
            td { @match flag {
                Some((flag, sign, _)) => { (sign) "\u{a0}" (flag.text()) }
                None => { @if item.found { "\u{2260}\u{a0}differs" } }
            } }
            td data-v=(item.pick.map_or_else(String::new, |pick| format!("{:.4}", pick.interval.low))) {
                @if let Some(pick) = item.pick { (whisker(pick, most)) span.faint { (signed_interval(item.pick, scale)) } }
            }
            @for column in columns { td.n { ((column.of)(item).map_or_else(String::new, format_figure)) } }
        }
    }
}

/// Formats a figure.
fn format_figure(figure: Figure) -> String {
    match figure {
        Figure::Count(count) => format!("{count:.0}"),
        Figure::Share(share) => percent(share),
        Figure::Percentage(points) => signed(Some(points), 100.0),
        Figure::Points(points) => signed(Some(points), 1.0),
    }
}
