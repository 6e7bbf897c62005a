//! The rules as HTML.

use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd, html};

/// The rules as HTML, without markup, links and images of the content: their texts stay.
pub fn html(markdown: &str) -> String {
    let plain = |event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::Link { .. } | Tag::Image { .. }) | Event::End(TagEnd::Link | TagEnd::Image) => None,
        // The policy of the page refuses the styles of alignment.
        Event::Start(Tag::Table(columns)) => Some(Event::Start(Tag::Table(vec![Alignment::None; columns.len()]))),
        other => Some(other),
    };
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(plain));
    page
}

/// A text as HTML.
pub fn escaped(text: &str) -> String {
    let mut page = String::new();
    html::push_html(&mut page, std::iter::once(Event::Text(text.into())));
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_rules_stays_text() {
        let page = html(
            "# A <b>\n\n<script>alert(1)</script>\n\n- [x](javascript:alert(2)) ![y](z.png) *z*\n\n|a|\n|-:|\n|b|\n",
        );
        assert!(!page.contains("<script") && !page.contains("<b>") && !page.contains("javascript"), "{page}");
        assert!(!page.contains("href") && !page.contains("<img") && !page.contains("style="), "{page}");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("<em>z</em>"), "{page}");
    }
}
