//! Random programs: hooks with numbers, texts, tables, loops, functions, questions, and mistakes.

use std::fmt::Write as _;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// Local variables of every program.
const VARIABLES: [&str; 5] = ["a", "b", "c", "t", "u"];

/// A writer of one random program.
pub struct Program {
    rng: StdRng,
    text: String,
    /// Loops around the current place.
    loops: usize,
    /// Functions around the current place.
    functions: usize,
    statements: usize,
}

impl Program {
    /// The writer of the program with this seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: StdRng::seed_from_u64(seed), text: String::new(), loops: 0, functions: 0, statements: 0 }
    }

    /// The source of `phases.luau`.
    pub fn source(mut self) -> String {
        self.text += "local LIST, NAMES = { 4, 1, 7, 2.5 }, { red = 1, blue = 2, one = 3 }\n";
        self.text += "local function word(x)\n    if type(x) == \"number\" then return math.floor(x) % 1000003 end\n";
        self.text += "    return if x then 5 else 6\nend\n";
        self.text += "local function mix(x, y) if x == nil then return y end return x, y end\n";
        self.text +=
            "return { main = { turn = function(p)\n    local a, b, c, t, u = p, 2, 3.5, { 1, 2, 3 }, { x = 1 }\n";
        let count = self.rng.random_range(3..10);
        for _ in 0..count {
            self.statement(1);
        }
        let last = self.expression(2);
        let _ = write!(self.text, "    set(p, \"out\", word({last}))\nend }} }}\n");
        self.text
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(depth));
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..self.rng.random_range(1..4) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        self.statements += 1;
        let leaf = depth > 4 || self.statements > 40;
        match self.rng.random_range(0..if leaf { 9 } else { 16 }) {
            0..=2 => {
                let (to, value) = (self.number(), self.expression(2));
                self.line(depth, &format!("{to} = {value}"));
            }
            3 => {
                let (to, value) = (self.number(), self.expression(1));
                let how = self.pick(&["+", "-", "*", "//", "%", "/"]);
                self.line(depth, &format!("{to} {how}= {value}"));
            }
            4 => {
                let (key, value) = (self.expression(1), self.expression(2));
                let table = self.pick(&["t", "t", "u"]);
                self.line(depth, &format!("{table}[{key}] = {value}"));
            }
            5 => {
                let value = self.expression(2);
                self.line(depth, &format!("table.insert(t, {value})"));
            }
            6 => {
                let value = self.expression(1);
                self.line(depth, &format!("gain(p, \"gold\", word({value}) % 50 - 20)"));
            }
            7 => {
                let text = self.pick(&[
                    "u.x = b",
                    "table.remove(t)",
                    "draw(\"deck\", game, \"hand\", p)",
                    "a, b = mix(b, a)",
                    "local s = table.clone(t) s[1] = 9 c = #s",
                    "b = bit32.bor(word(a), 5) + bit32.rshift(word(b), 2)",
                    "u[word(a) % 50 + 1] = b",
                    "u[word(b) % 50 + 1] = nil",
                    "for i = 1, 12 do u[i * 7 % 40] = i end",
                    "local m = {} for i = 20, 1, -1 do m[i] = i end c = #m",
                    "local m = {} for i = 1, 40 do m[i * i] = i end a = m[49]",
                    "local m = { x = 1, y = a, z = 3 } m.w = a m.v = b c = m.y",
                    "local m = { 1, mix(a, b) } m[#m + 1] = c t = table.clone(m)",
                    "local low = math.huge local function least(x) low = math.min(low, x) end least(b) least(c) a = low",
                    "local function add(n, sum) if n < 1 then return sum end return add(n - 1, sum + n) end a = add(3, b)",
                ]);
                self.line(depth, text);
            }
            8 if self.loops > 0 => self.line(depth, "if a == 2 then break end"),
            8 => self.line(depth, "c = get(p, \"gold\") + count(\"hand\", p)"),
            9 | 10 => {
                let test = self.test();
                self.line(depth, &format!("if {test} then"));
                self.block(depth + 1);
                if self.rng.random_bool(0.5) {
                    self.line(depth, "else");
                    self.block(depth + 1);
                }
                self.line(depth, "end");
            }
            11 | 12 => self.looped(depth),
            13 => self.function(depth),
            14 => self.question(depth),
            _ => {
                let test = self.test();
                self.line(depth, &format!("local n = 0 while {test} and n < 6 do n += 1"));
                self.inside(depth);
                self.line(depth, "end");
            }
        }
    }

    fn inside(&mut self, depth: usize) {
        self.loops += 1;
        self.block(depth + 1);
        self.loops -= 1;
    }

    fn looped(&mut self, depth: usize) {
        let head = match self.rng.random_range(0..6) {
            0 => "for i = 1, 4 do a += i".to_owned(),
            1 => "for i = #t, 1, -1 do b = t[i] or 1".to_owned(),
            2 => "for k, v in t do a, b = k, v".to_owned(),
            3 => "for i, v in ipairs(LIST) do c += v * i".to_owned(),
            4 => "for _, card in cards(\"hand\", p) do c += attr(card, \"worth\")".to_owned(),
            _ => {
                let to = self.expression(1);
                format!("for i = 1, math.min(word({to}), 5) do b = i")
            }
        };
        self.line(depth, &head);
        self.inside(depth);
        self.line(depth, "end");
    }

    fn function(&mut self, depth: usize) {
        if self.functions > 1 {
            return self.line(depth, "a = 1");
        }
        let head = self.pick(&["local function f(x, y)", "local function f(x, ...)", "local function f(x)"]);
        self.line(depth, head);
        self.functions += 1;
        let loops = std::mem::take(&mut self.loops);
        self.block(depth + 1);
        let result = self.expression(1);
        self.line(depth + 1, &format!("return {result}, x"));
        self.loops = loops;
        self.functions -= 1;
        self.line(depth, "end");
        let (one, two) = (self.expression(1), self.expression(1));
        let call = self.pick(&["a, b = f(", "c = f(", "local n = 0 a = f("]);
        self.line(depth, &format!("{call}{one}, {two})"));
    }

    fn question(&mut self, depth: usize) {
        let list = self.pick(&["choice_numbers(1, 4)", "choice(2) choice(5)", "choice(1) choice(\"done\")"]);
        self.line(depth, list);
        let to = self.number();
        self.line(depth, &format!("{to} = ask(p, \"pick\")"));
    }

    fn number(&mut self) -> &'static str {
        self.pick(&["a", "b", "c"])
    }

    fn test(&mut self) -> String {
        let (one, two) = (self.expression(1), self.expression(1));
        match self.rng.random_range(0..6) {
            0 => format!("{one} == {two}"),
            1 => format!("{one} ~= {two}"),
            2 => format!("word({one}) < word({two})"),
            3 => format!("word({one}) >= word({two})"),
            4 => one,
            _ => format!("not {one}"),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.random_bool(0.3) {
            return self.leaf();
        }
        let (one, two) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.rng.random_range(0..14) {
            0..=2 => format!("({one} {} {two})", self.pick(&["+", "-", "*"])),
            3 => format!("({one} {} {two})", self.pick(&["//", "%", "/"])),
            4 => format!("({one} and {two})"),
            5 => format!("({one} or {two})"),
            6 => format!("(t[{one}] or b)"),
            7 => format!("(LIST[{one}] or 1)"),
            8 => format!("math.{}({one}, {two})", self.pick(&["max", "min"])),
            9 => format!("(if {one} then {two} else a)"),
            10 => format!("word({one})"),
            11 => format!("(NAMES[{one}] or {two})"),
            12 => format!("math.{}({one})", self.pick(&["floor", "abs", "ceil"])),
            _ => format!("-({one})"),
        }
    }

    fn leaf(&mut self) -> String {
        match self.rng.random_range(0..24) {
            0..=9 => self.pick(&VARIABLES[..3]).to_owned(),
            10..=15 => format!("({})", self.rng.random_range(-3..9)),
            16 | 17 => self.pick(&["0.5", "1e10", "2147483647", "(-7.25)", "1e300"]).to_owned(),
            18 => self.pick(&["nil", "true", "player_count()"]).to_owned(),
            19 => self.pick(&["\"red\"", "\"blue\"", "\"done\"", "\"3\""]).to_owned(),
            20 | 21 => self.pick(&["#t", "u.x", "(t[1] or 3)", "get(p, \"gold\")"]).to_owned(),
            _ => self.pick(&["(u.y or 2)", "NAMES.red", "player_count()", "(top(\"hand\", p) or 1)"]).to_owned(),
        }
    }

    fn pick(&mut self, list: &[&'static str]) -> &'static str {
        list[self.rng.random_range(0..list.len())]
    }
}
