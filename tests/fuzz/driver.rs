//! Runs a target: makes inputs, keeps those with new outcomes, watches time and memory, and shortens failing inputs.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

use crate::twins::SplitMix64;

/// Stack size of a program's main thread. Scripts and parsers recurse in C++.
const STACK: usize = 8 << 20;
/// Maximum processor time of one execution.
const PATIENCE: Duration = Duration::from_secs(2);
/// The maximum while other tests run, because processor time includes theirs.
const PATIENCE_BESIDE: Duration = Duration::from_secs(20);
/// Maximum wall time of one input, on any machine.
const ENDLESS: Duration = Duration::from_secs(120);
/// Maximum memory growth over all inputs, in bytes for each thread.
const GROWTH: u64 = 256 << 20;
/// Maximum inputs in the corpus.
const CORPUS: usize = 4096;
/// Maximum attempts to shorten a failing input.
const SHORTENINGS: usize = 400;

/// A fuzz target. It may cache expensive objects, but each input starts from a clean one.
pub trait Target: Sized {
    /// Name in reports: the name of its module.
    const NAME: &'static str;
    /// Number of genes of a new input.
    const GENES: Range<usize>;
    /// Number of inputs under `cargo test`.
    const INPUTS: u64;

    fn new() -> Self;

    /// Tries an input.
    ///
    /// # Errors
    /// Describes the violated property. A panic is a failure, too.
    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String>;
}

/// Outcomes of a thread's inputs.
#[derive(Debug)]
pub struct Outcomes {
    outcomes: BTreeSet<u64>,
    executions: u64,
    inputs: u64,
    /// Whether the current input has reached a new outcome.
    new: bool,
    began: Instant,
    slowest: Duration,
}

impl Outcomes {
    pub fn new() -> Self {
        let (executions, inputs, slowest) = (0, 0, Duration::ZERO);
        Self { outcomes: BTreeSet::new(), executions, inputs, new: false, began: Instant::now(), slowest }
    }

    /// Counts one finished execution.
    pub fn execution(&mut self) {
        self.executions += 1;
        let now = Instant::now();
        self.slowest = self.slowest.max(now - self.began);
        self.began = now;
    }

    /// Counts many finished executions.
    pub fn executions(&mut self, count: u64) {
        self.execution();
        self.executions += count.saturating_sub(1);
    }

    /// Records an outcome. Quoted text and numbers do not make a message new.
    pub fn outcome(&mut self, text: &str) {
        let mut hasher = DefaultHasher::new();
        let mut quoted = None;
        for c in text.chars() {
            match quoted {
                Some(end) if c == end => quoted = None,
                Some(_) => {}
                None if matches!(c, '`' | '"') => quoted = Some(c),
                None if c.is_ascii_digit() => {}
                None => c.hash(&mut hasher),
            }
        }
        self.new |= self.outcomes.insert(hasher.finish());
    }
}

/// Time or input limit.
#[derive(Debug, Clone, Copy)]
enum Plan {
    Inputs(u64),
    Time(Instant, Duration),
}

impl Plan {
    fn is_over(self, inputs: u64) -> bool {
        match self {
            Self::Inputs(most) => inputs >= most,
            Self::Time(begin, most) => begin.elapsed() >= most,
        }
    }
}

/// A failing input and its message.
struct Finding {
    input: Vec<u32>,
    message: String,
}

/// The current input of a thread, with its start time.
type Current = Mutex<(Instant, Vec<u32>)>;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Fuzzes a target and fails with the first failing input, shortened.
pub fn fuzz<T: Target>() {
    if let Ok(input) = std::env::var("LODE_FUZZ_INPUT") {
        let genes = input.split(',').map(|gene| u32::from_str_radix(gene, 16).expect("genes are hexadecimal"));
        let genes: Vec<u32> = genes.collect();
        let ran = on_own_stack(|| T::new().run(&genes, &mut Outcomes::new()));
        return ran.unwrap_or_else(|message| panic!("{message}"));
    }
    let long = number("LODE_FUZZ").map(Duration::from_secs);
    let plan = long.map_or(Plan::Inputs(T::INPUTS), |time| Plan::Time(Instant::now(), time));
    let threads = if long.is_some() { std::thread::available_parallelism().map_or(1, usize::from) } else { 1 };
    let threads = number("LODE_FUZZ_THREADS").map_or(threads, |threads| threads as usize);
    let seed = number("LODE_FUZZ_SEED").unwrap_or(1);
    let begin = Instant::now();
    let stop = AtomicBool::new(false);
    let currents: Vec<Current> = (0..threads).map(|_| Mutex::new((Instant::now(), Vec::new()))).collect();
    let ended: Vec<(Outcomes, usize, Option<Finding>)> = std::thread::scope(|scope| {
        let workers: Vec<_> = currents
            .iter()
            .zip(0..)
            .map(|(current, thread)| {
                let stop = &stop;
                let work = move || work::<T>(seed ^ (thread << 40), plan, current, stop);
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap()
            })
            .collect();
        watch::<T>(&currents, long.is_some(), || workers.iter().all(std::thread::ScopedJoinHandle::is_finished));
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    let mut outcomes = BTreeSet::new();
    let (mut executions, mut inputs, mut corpus, mut slowest) = (0, 0, 0, Duration::ZERO);
    for (seen, kept, _) in &ended {
        outcomes.extend(seen.outcomes.iter().copied());
        executions += seen.executions;
        inputs += seen.inputs;
        corpus += kept;
        slowest = slowest.max(seen.slowest);
    }
    let rate = executions as f64 / begin.elapsed().as_secs_f64();
    println!(
        "{}: {executions} executions in {inputs} inputs, {rate:.0}/s; {} outcomes, {corpus} inputs kept; slowest {slowest:?}",
        T::NAME,
        outcomes.len()
    );
    if let Some(finding) = ended.into_iter().find_map(|(_, _, finding)| finding) {
        report::<T>(finding);
    }
    assert!(outcomes.len() > 1, "all inputs of {} lead to the same", T::NAME);
}

/// Tries inputs on one thread. The same seed gives the same inputs.
fn work<T: Target>(seed: u64, plan: Plan, current: &Current, stop: &AtomicBool) -> (Outcomes, usize, Option<Finding>) {
    let mut random = SplitMix64::new(seed);
    let mut corpus: Vec<Vec<u32>> = Vec::new();
    let (mut seen, mut target) = (Outcomes::new(), T::new());
    while !plan.is_over(seen.inputs) && !stop.load(Ordering::Relaxed) {
        let input = next::<T>(&corpus, &mut random);
        *current.lock().unwrap() = (Instant::now(), input.clone());
        seen.inputs += 1;
        let before = std::mem::take(&mut seen.slowest);
        if let Err(message) = attempt(&mut target, &input, &mut seen) {
            stop.store(true, Ordering::Relaxed);
            return (seen, corpus.len(), Some(Finding { input, message }));
        }
        seen.slowest = seen.slowest.max(before);
        if std::mem::take(&mut seen.new) && corpus.len() < CORPUS {
            corpus.push(input);
        }
    }
    (seen, corpus.len(), None)
}

thread_local! {
    /// Panics on this thread.
    static PANICS: Cell<u32> = const { Cell::new(0) };
}

/// Runs an input. Panics and timeouts are errors.
fn attempt<T: Target>(target: &mut T, input: &[u32], seen: &mut Outcomes) -> Result<(), String> {
    static COUNTED: Once = Once::new();
    COUNTED.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            PANICS.set(PANICS.get() + 1);
            told(panic);
        }));
    });
    let (busy, panics) = (processor_time(), PANICS.get());
    seen.began = Instant::now();
    let ran = catch_unwind(AssertUnwindSafe(|| target.run(input, seen)));
    // The engine turns panics in script calls into errors, so that they do not unwind through Luau. They still count as
    // failures.
    if ran.is_ok() && PANICS.get() > panics {
        return Err("a panic was caught, see above".to_owned());
    }
    ran.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("of another type");
        Err(format!("panic: {text}"))
    })?;
    // On a busy machine an execution takes more wall time than processor time.
    let patience = if number("LODE_FUZZ").is_some() { PATIENCE } else { PATIENCE_BESIDE };
    if seen.slowest > patience {
        let busy = processor_time().zip(busy).map_or(seen.slowest, |(now, before)| now - before);
        if busy > patience {
            return Err(format!("one execution took {:?}, of {busy:?} for the input", seen.slowest));
        }
    }
    Ok(())
}

/// The processor time of this program, where the system reports it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The fields after the name, which may contain spaces: hundredths of a second.
    let mut fields = text.rsplit(") ").next()?.split(' ').skip(11).map(str::parse::<u64>);
    let (user, system) = (fields.next()?.ok()?, fields.next()?.ok()?);
    Some(Duration::from_millis(10 * (user + system)))
}

/// A new input, or a mutation of one from the corpus.
fn next<T: Target>(corpus: &[Vec<u32>], random: &mut SplitMix64) -> Vec<u32> {
    let genes = |count: usize, random: &mut SplitMix64| (0..count).map(|_| random.bits() as u32).collect::<Vec<_>>();
    if corpus.is_empty() || random.below(4) == 0 {
        return genes(T::GENES.start + random.below(T::GENES.len()), random);
    }
    // The newest inputs have been mutated least.
    let at = random.below(corpus.len()).max(random.below(corpus.len()));
    let mut input = corpus[at].clone();
    for _ in 0..=random.below(3) {
        let at = random.below(input.len());
        match random.below(5) {
            0 => input[at] = random.bits() as u32,
            1 => input.insert(at, random.bits() as u32),
            2 if input.len() > 1 => {
                input.remove(at);
            }
            3 => input.push(random.bits() as u32),
            _ => {
                let other = &corpus[random.below(corpus.len())];
                input.truncate(at.max(1));
                input.extend(&other[random.below(other.len())..]);
            }
        }
    }
    input.truncate(2 * T::GENES.end);
    input
}

/// Waits for the threads. Ends the test if an input never ends or takes all memory.
fn watch<T: Target>(currents: &[Current], alone: bool, all_done: impl Fn() -> bool) {
    let mut least = memory();
    let begin = Instant::now();
    while !all_done() {
        std::thread::sleep(Duration::from_millis(20));
        // Caches made at the start belong to no input.
        if begin.elapsed() < Duration::from_secs(10) {
            least = least.max(memory());
        }
        let grown = memory().zip(least).map_or(0, |(now, least)| now.saturating_sub(least));
        let too_large = alone && grown > GROWTH * currents.len() as u64;
        for current in currents {
            let (began, input) = &*current.lock().unwrap();
            if began.elapsed() > ENDLESS || too_large {
                let why = if too_large { format!("{} MiB more memory", grown >> 20) } else { "no end".to_owned() };
                eprintln!("{}: {why}\n{}", T::NAME, command::<T>(input));
                std::process::exit(101);
            }
        }
    }
}

/// Resident memory of the program in bytes, where the system reports it.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split(' ').nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

fn on_own_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap();
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The command that runs an input again.
fn command<T: Target>(input: &[u32]) -> String {
    let genes: Vec<String> = input.iter().map(|gene| format!("{gene:x}")).collect();
    format!("LODE_FUZZ_INPUT={} cargo test --test tests fuzz::{}:: -- --nocapture", genes.join(","), T::NAME)
}

/// Fails with the shortest input found.
fn report<T: Target>(Finding { mut input, mut message }: Finding) -> ! {
    let fails = |input: &[u32]| on_own_stack(|| attempt(&mut T::new(), input, &mut Outcomes::new())).err();
    let Some(alone) = fails(&input) else {
        panic!("{}: {message}\nonly after the inputs before it; at its end\n{}", T::NAME, command::<T>(&input));
    };
    message = alone;
    let (mut size, mut tries) = (input.len() / 2, 0);
    while size > 0 {
        let mut at = 0;
        while at < input.len() && input.len() > 1 && tries < SHORTENINGS {
            let mut shorter = input.clone();
            shorter.drain(at..(at + size).min(input.len()));
            tries += 1;
            match Some(&shorter).filter(|shorter| !shorter.is_empty()).and_then(|shorter| fails(shorter)) {
                Some(still) => (input, message) = (shorter, still),
                None => at += size,
            }
        }
        size /= 2;
    }
    panic!("{}: {message}\n{}", T::NAME, command::<T>(&input));
}
