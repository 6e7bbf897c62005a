//! What cards, actions and cells are worth.

use maud::{Markup, html};

use super::chart::whisker;
use super::figures::{percent, plural, shown_by, signed, signed_interval, words};
use super::{Page, TOO_FEW};
use crate::effects::columns::{Figure, ITEM_COLUMNS, item_legend, sorted};
use crate::effects::report::{Flag, ItemReport};

/// What is to be said of each flag: sign, meaning.
const FLAGS: [(Flag, &str, &str); 4] = [
    (Flag::MustHave, "\u{25b2}", "taking it wins games, and is nearly always better than anything else"),
    (Flag::Dominated, "\u{25bc}", "something else is nearly always better"),
    (Flag::Dead, "\u{2715}", "offered often, hardly ever taken"),
    (Flag::NeverOffered, "\u{2205}", "others of its sort were offered, it never was in these games"),
];

/// Items with a flag, by name.
pub fn stands_out(page: &Page) -> Markup {
    let of =
        |flag: Flag| -> Vec<&ItemReport> { page.effects.items.iter().filter(|item| item.flag == Some(flag)).collect() };
    html! {
        section {
            h2 { "What stands out" }
            @let is_empty = FLAGS.iter().all(|(flag, ..)| of(*flag).is_empty());
            @if page.has_too_few() {
                p.none { (TOO_FEW) }
            } @else if is_empty && page.effects.stopped {
                p.none { "Not known: this was stopped before all forks of the items were played." }
            } @else if is_empty {
                p.none { "Nothing is dead, dominated, a must or never offered, as far as " (plural(page.effects.blocks, "game")) " and " (page.forks) " forks of each item can tell." }
            }
            @if !page.has_too_few() { dl { @for (flag, sign, meaning) in FLAGS {
                @let items = of(flag);
                @if !items.is_empty() {
                    dt { (sign) " " (flag.text()) " " span.faint { "(" (items.len()) "): " (meaning) } }
                    dd { @for (number, item) in items.iter().enumerate() {
                        @if number > 0 { ", " } (item.name) " " span.faint { "(" (words(&item.sort)) ")" }
                    } }
                }
            } } }
        }
    }
}

/// The table of all items: those with a flag first, then by effect.
pub fn table(page: &Page) -> Markup {
    let effects = &page.effects;
    let items = sorted(&effects.items);
    let most = items.iter().filter_map(|item| item.pick).map(|pick| pick.value.abs() * 1.5).fold(0.1, f64::max);
    let command = format!(
        "lode effects {} --bots {} --blocks {} --forks {}",
        page.setup,
        effects.bots.join(","),
        page.blocks,
        page.forks
    );
    html! {
        section {
            h2 { "Cards, actions, places" }
            p { "Worth to " (effects.bots.join(", ")) ". The effect of a pick is what taking it brings against the best other choice, in points of win share: the same \
                position is played on with each, with the same chance. At most 5\u{a0}% of the effects that are said to differ do so by chance." (usual(&items)) }
            @if items.is_empty() && page.has_too_few() {
                p.none { (TOO_FEW) }
            } @else if items.is_empty() && effects.stopped {
                p.none { "Not known: this was stopped before the items were counted." }
            } @else if items.is_empty() {
                p.none { "Nobody chose among cards, actions or cells." }
            } @else { div.wide { table.sortable {
                thead { tr {
                    th { "name" } th { "sort" } th { "flag" } th { "effect of a pick" }
                    @for column in &ITEM_COLUMNS { th.n { (column.name) } }
                } }
                tbody { @for item in items { (row(item, most)) } }
            } } }
            p.faint { (item_legend()) ". An empty cell: it never came to that." }
            (shown_by(&command))
        }
    }
}

/// How small an effect may be and still show.
fn usual(items: &[&ItemReport]) -> Markup {
    let mut widths: Vec<f64> =
        items.iter().filter_map(|item| item.pick).map(|pick| pick.interval.high - pick.interval.low).collect();
    widths.retain(|width| *width > 0.0);
    widths.sort_by(f64::total_cmp);
    let Some(width) = widths.get(widths.len() / 2) else { return html! {} };
    html! { " Half of the intervals are wider than \u{b1}" (format!("{:.0}", width * 50.0)) " points: smaller effects stay unseen; more --forks and --blocks show them." }
}

fn row(item: &ItemReport, most: f64) -> Markup {
    let flag = FLAGS.iter().find(|(flag, ..)| item.flag == Some(*flag));
    html! {
        tr {
            th scope="row" { (item.name) }
            td { (words(&item.sort)) }
            td { @match flag {
                Some((flag, sign, _)) => { (sign) "\u{a0}" (flag.text()) }
                None => { @if item.found { "\u{2260}\u{a0}differs" } }
            } }
            td data-v=(item.pick.map_or_else(String::new, |pick| format!("{:.4}", pick.interval.low))) {
                @if let Some(pick) = item.pick { (whisker(pick, most)) span.faint { (signed_interval(item.pick, 100.0)) } }
            }
            @for column in &ITEM_COLUMNS { td.n { ((column.of)(item).map_or_else(String::new, written)) } }
        }
    }
}

/// A figure as people read it.
fn written(figure: Figure) -> String {
    match figure {
        Figure::Count(count) => format!("{count:.0}"),
        Figure::Share(share) => percent(share),
        Figure::Points(points) => signed(Some(points), 100.0),
        Figure::Score(points) => signed(Some(points), 1.0),
    }
}
