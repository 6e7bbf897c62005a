//! Text with ANSI colours as SVG.

/// Maximum columns. Longer lines are cut.
const COLUMNS: usize = 100;
/// Size of a character and a line, in pixels.
const WIDTH: f64 = 8.0;
const HEIGHT: f64 = 19.0;
/// Space around the text, in pixels.
const MARGIN: f64 = 16.0;

/// The style of a character: a colour from 0 to 15, bold, dim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Style {
    colour: Option<u8>,
    is_bold: bool,
    is_dim: bool,
}

impl Style {
    /// Applies the numbers of `ESC [ ... m`. Only foreground colours, bold and dim occur.
    fn apply(&mut self, codes: &str) {
        let mut codes = codes.split(';').map(|code| code.parse::<u8>().unwrap_or(0));
        while let Some(code) = codes.next() {
            match code {
                0 => *self = Self::default(),
                1 => self.is_bold = true,
                2 => self.is_dim = true,
                30..=37 => self.colour = Some(code - 30),
                90..=97 => self.colour = Some(code - 82),
                38 => self.colour = codes.nth(1),
                39 => self.colour = None,
                _ => panic!("the picture has no style for code {code}"),
            }
        }
    }

    /// Attributes of a `tspan`.
    fn attributes(self) -> String {
        let fill = match self.colour {
            Some(1 | 9) => " fill=\"#ff7b72\"",
            Some(2 | 10) => " fill=\"#7ee787\"",
            Some(3 | 11) => " fill=\"#e3b341\"",
            Some(4 | 12) => " fill=\"#79c0ff\"",
            Some(5 | 13) => " fill=\"#d2a8ff\"",
            Some(6 | 14) => " fill=\"#56d4dd\"",
            _ if self.is_dim => " fill=\"#8b949e\"",
            _ => "",
        };
        format!("{fill}{}", if self.is_bold { " font-weight=\"bold\"" } else { "" })
    }
}

/// The characters of a line with their styles. A style continues on the next line.
fn styled(line: &str, style: &mut Style) -> Vec<(char, Style)> {
    let mut cells = Vec::new();
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        match rest.strip_prefix("\u{1b}[").and_then(|code| code.split_once('m')) {
            Some((codes, after)) => {
                style.apply(codes);
                rest = after;
            }
            None => {
                cells.push((next, *style));
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    if cells.len() > COLUMNS {
        cells.truncate(COLUMNS - 1);
        cells.push(('…', Style::default()));
    }
    cells
}

/// One `text` element: a `tspan` for each run of a style, at its column, so that fonts of any width stay aligned.
fn row(number: usize, cells: &[(char, Style)]) -> String {
    let y = MARGIN + HEIGHT * (number as f64 + 0.75);
    let mut spans = String::new();
    let mut column = 0;
    for run in cells.chunk_by(|a, b| a.1 == b.1) {
        let text: String = run.iter().map(|cell| cell.0).collect();
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let (x, length) = (MARGIN + WIDTH * column as f64, WIDTH * run.len() as f64);
        spans += &format!("<tspan x=\"{x}\" textLength=\"{length}\"{}>{text}</tspan>", run[0].1.attributes());
        column += run.len();
    }
    format!("<text y=\"{y}\">{spans}</text>\n")
}

/// Draws terminal output as SVG. `title` is for screen readers.
pub fn svg(title: &str, text: &str) -> String {
    let mut style = Style::default();
    let rows: Vec<_> = text.lines().map(|line| styled(line, &mut style)).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let (width, height) = (2.0 * MARGIN + WIDTH * columns as f64, 2.0 * MARGIN + HEIGHT * rows.len() as f64);
    let body: String = rows.iter().enumerate().map(|(number, cells)| row(number, cells)).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <g fill=\"#e6edf3\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13\" xml:space=\"preserve\">\n\
         {body}</g>\n</svg>\n"
    )
}
