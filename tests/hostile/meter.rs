//! The step meter: a call costs about as many steps as empty loop turns of the same time, or more.

use super::*;

/// Steps of a hook here: enough to measure, and few enough for milliseconds per case.
const STEPS: i64 = 400_000;
/// Maximum time per step, relative to a plain loop.
const FACTOR: f64 = 10.0;
/// Maximum repeats of a slow measurement, because other processes disturb it.
const TRIES: usize = 8;
/// Lengths of the text and of the list in each measurement.
const SIZES: [(usize, usize); 3] = [(1_000, 250), (15_000, 4_000), (60_000, 20_000)];

/// One call each, in an endless loop. `s` is a text of digits, `a` and `b` differ in their last letter, `t` is a list.
const CALLS: [&str; 59] = [
    "local _ = s .. \"x\"",
    "local _ = s + 1",
    "local _ = a < b",
    "local _ = a == b",
    "local _ = `{s}x`",
    "string.byte(s, -1)",
    "string.byte(s, 1, 200)",
    "string.char(65, 66, 67)",
    "string.find(a, \"b\")",
    "string.find(a, \"ab\", 1, true)",
    "string.find(a, \"[xyz]*b\")",
    "string.find(a, \"c*b\")",
    "string.find(a, \".-c\")",
    "string.find(a, \"%f[b]x\")",
    "string.find(a, set)",
    "string.find(a, \"%bax\")",
    "string.find(a, \"(a*)%1c\")",
    "string.find(s, \"a?a?a?a?a?a?a?a?b\")",
    "string.match(s, \"^(.*)$\")",
    "string.match(a, set)",
    "string.format(\"%s\", s)",
    "string.format(\"%q\", s)",
    "string.format(\"%99.99f\", 1e300)",
    "for _ in string.gmatch(s, \"[^1]*\") do end",
    "string.gsub(a, \"a\", \"b\")",
    "string.gsub(a, \"b\", \"\")",
    "string.gsub(\"x\", \"x\", s)",
    "string.len(s)",
    "string.lower(s)",
    "string.upper(a)",
    "string.reverse(s)",
    "string.rep(\"x\", #s)",
    "string.rep(s, 1)",
    "string.split(a, \"a\")",
    "string.split(a, \"ab\")",
    "string.split(a, \"\")",
    "string.sub(s, 2)",
    "s:sub(1, -2)",
    "utf8.len(s)",
    "utf8.offset(s, -1)",
    "utf8.codepoint(s, 1, 200)",
    "tonumber(s)",
    "tonumber(s, 16)",
    "math.floor(s)",
    "math.max(s, s, s, s)",
    "bit32.band(s, s)",
    "select(-1, s, s, s)",
    "table.concat(t)",
    "table.concat({ a })",
    "table.clone(t)",
    "table.create(#t, 1)",
    "table.find(t, 0)",
    "table.insert(t, 1, table.remove(t, 1))",
    "table.move(t, 1, #t, 2, {})",
    "table.sort(t, function(x, y) return x > y end)",
    "table.sort({ a, b, s, a, b, s }, nil)",
    "table.unpack(t, 1, 200)",
    "next(empty)",
    "pcall(error, s)",
];

const KERNELS: [&str; 12] = [
    "cards(\"deck\")",
    "shuffle(\"deck\")",
    "move(1, \"pile\") move(1, \"deck\")",
    "draw(\"deck\", nil, \"pile\")",
    "zone_of(1)",
    "random(6)",
    "longest(1, \"ore\")",
    "count_cells(\"board\", \"ore\", 0)",
    "neighbours(\"board\", 5, \"all\")",
    "ray(\"board\", 1, \"right\")",
    "turn_up(1)",
    "pcall(get, player, \"gild\")",
];

/// Straight-line code without safepoints, and its number of repeats.
const STRETCHES: [(&str, usize); 9] = [
    ("n = n + 1", 990),
    ("n = s + 1", 990),
    ("n = #t", 2500),
    ("n = n == s", 2500),
    ("n = math.max(n, 1)", 800),
    ("n = {}", 1500),
    ("n = function() return n end", 500),
    ("t[1] = n", 2000),
    ("if n then n = t[n] end", 1000),
];

/// Nanoseconds per step of an endless loop with this body: the minimum of three tries.
fn measure(body: &str, (text, list): (usize, usize)) -> Result<f64, String> {
    let made = format!(
        r#"
    local s, a, b = string.rep("1", {text}), string.rep("a", {text}) .. "a", string.rep("a", {text}) .. "b"
    local set = "[" .. string.rep("b", math.min(#s, 30000)) .. "]*c"
    local t, empty, n = table.create({list}, 1), {{}}, 1
    if {fill} then
        for i = 1, #t do empty[i] = i end
        for i = 1, #t do empty[i] = nil end
    end
"#,
        fill = body.contains("empty"),
    );
    // A long text makes every step of the hook slower, so the plain loop has none.
    let made = if body.is_empty() { "" } else { &made };
    let script = format!("local function attack(player) {made} while true do {body} end end{HOOKS}");
    let game = Game::load(&pack(PHASES, &script)).map_err(|d| d.to_string())?;
    let setup = game.setup(Some(2), &[("context".into(), "act".into())], 7).map_err(|e| e.to_string())?;
    let mut m = Match::new(&game.native(), &setup).map_err(|e| e.to_string())?;
    let mut best = f64::INFINITY;
    // The first failure creates the careful VM.
    for round in 0..3 {
        m.limits_mut().steps = STEPS;
        let start = Instant::now();
        let error = m.answer(1).err().ok_or("it ended")?;
        let took = start.elapsed().as_secs_f64() * 1e9;
        let fault = script_fault(error)?;
        if !fault.message.contains("spent its budget") {
            return Err(fault.message);
        }
        if round > 0 {
            best = best.min(took / STEPS as f64);
        }
    }
    Ok(best)
}

/// Measures calls with texts and lists of each size.
fn steps_are_fair<T: Into<String>>(calls: impl IntoIterator<Item = T>, sizes: &'static [(usize, usize)]) {
    let calls: Vec<String> = calls.into_iter().map(Into::into).collect();
    let outcome = guarded(move || {
        let (mut wrong, mut plain) = (String::new(), measure("", SIZES[0]).unwrap());
        for (body, size) in calls.iter().flat_map(|call| sizes.iter().map(move |size| (call, *size))) {
            let shown = body.lines().next().unwrap_or_default();
            let mut least = f64::INFINITY;
            for again in 0..TRIES {
                // If the call seems slow, measure the plain loop again: the machine's load may have changed.
                if again > 0 {
                    plain = measure("", SIZES[0]).unwrap();
                }
                match measure(body, size) {
                    Ok(took) => least = least.min(took / plain),
                    Err(fault) => {
                        writeln!(wrong, "{shown} at {size:?}: {fault}").unwrap();
                        least = 0.0;
                    }
                }
                if least <= FACTOR {
                    break;
                }
            }
            println!("{least:6.2}  {} {shown}  ({plain:.2} ns)", size.0);
            if least > FACTOR {
                writeln!(wrong, "{shown} at {size:?}: {least:.1} times a plain loop").unwrap();
            }
        }
        wrong
    });
    assert_eq!(outcome.unwrap(), "");
}

#[test]
fn a_step_of_a_search_takes_no_longer_than_in_a_plain_loop() {
    steps_are_fair(CALLS[..23].to_vec(), &SIZES);
}

#[test]
fn a_step_of_a_text_takes_no_longer_than_in_a_plain_loop() {
    steps_are_fair(CALLS[23..40].to_vec(), &SIZES);
}

#[test]
fn a_step_of_a_list_takes_no_longer_than_in_a_plain_loop() {
    steps_are_fair(CALLS[40..].to_vec(), &SIZES);
}

#[test]
fn a_step_of_an_accessor_takes_no_longer_than_in_a_plain_loop() {
    steps_are_fair(KERNELS, &SIZES[..1]);
}

#[test]
fn a_step_of_a_long_stretch_takes_no_longer_than_in_a_plain_loop() {
    let stretches = STRETCHES.map(|(instruction, times)| format!("{instruction}\n").repeat(times));
    // Parsing the longest text as a number costs most.
    steps_are_fair(stretches, &SIZES[2..]);
}

#[test]
fn too_long_straight_line_code_is_refused() {
    let sums = |n: usize| format!("local function attack(player)\nlocal n = 1\n{}end{HOOKS}", "n = n + 1\n".repeat(n));
    assert!(Game::load(&pack(PHASES, &sums(990))).is_ok());
    let Err(faults) = Game::load(&pack(PHASES, &sums(1100))) else { panic!("it was loaded") };
    assert!(
        faults
            .list
            .iter()
            .any(|fault| fault.message.contains("more than 1000 arithmetic operations without a loop or a call")
                && fault.line == 1),
        "{faults}"
    );
    // Inlined calls count where they occur, unless inlining exceeds the limit.
    let inlined = format!(
        "local function add(n) return n + 1 + n + 1 + n + 1 end\nlocal function attack(player)\nlocal n = 1\n{}end{HOOKS}",
        "n = add(n)\n".repeat(900)
    );
    assert!(Game::load(&pack(PHASES, &inlined)).is_ok());
}
