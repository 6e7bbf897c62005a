//! Entries: C functions that scripts call, which run kernels or ask questions.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use mlua::ffi;

use crate::script::kernels::context::Context;
use crate::script::kernels::{Answer, Arg, KERNELS, TEXT_KERNELS};
use crate::script::luau::raw::shared::{KeptVariable, MAX_ARGS, Shared, Slot, text_at, whole};
use crate::script::machine::choices::{BUFFER_WORDS, MAX_CHOICES};
use crate::script::machine::{NIL, Question, Values};
use crate::state::Position;
use crate::state::layout::word;
use crate::state::sight::Sight;
use crate::text::TextArg;
use motherlode_content::declare::MAX_ASKED;

/// Maximum top-level variables that functions may assign to.
const MAX_KEPT: usize = 200;

/// Defines an entry function that runs `$inner`, and raises the message that it leaves on the stack if it fails.
macro_rules! entry {
    ($name:ident, $inner:ident) => {
        pub(super) unsafe extern "C-unwind" fn $name(l: *mut ffi::lua_State) -> c_int {
            // SAFETY: called by Luau with the upvalues of `Vm::entry`; `$inner` has dropped all it owned when it returns, so the
            // error crosses an empty frame.
            unsafe {
                match $inner(l) {
                    Ok(results) => results,
                    Err(RaisedError) => ffi::lua_error(l),
                }
            }
        }
    };
}
entry!(kernel_entry, run_kernel);
entry!(text_entry, run_text_kernel);
entry!(ask_entry, run_ask);
entry!(ask_together_entry, run_ask_together);
entry!(upvalues_entry, run_upvalues);
entry!(rebind_entry, run_rebind);

/// An error whose message is on top of the stack.
pub(super) struct RaisedError;

pub(super) unsafe fn raise(l: *mut ffi::lua_State, message: &str) -> RaisedError {
    // SAFETY: C functions have at least 20 free slots; the text is copied by Luau.
    unsafe {
        ffi::luaL_where(l, 1);
        ffi::lua_pushlstring_(l, message.as_ptr().cast(), message.len());
        ffi::lua_concat(l, 2);
    }
    RaisedError
}

/// The upvalue of an entry: the shared memory and the kernel's index.
unsafe fn upvalues(l: *mut ffi::lua_State) -> (*mut Shared, usize) {
    // SAFETY: set by `Vm::entry`, which scripts cannot change (no `debug` library); the slot outlives the VM.
    unsafe {
        let slot = ffi::lua_touserdata(l, ffi::lua_upvalueindex(1)).cast::<Slot>();
        ((*slot).shared, (*slot).index)
    }
}

unsafe fn run_kernel(l: *mut ffi::lua_State) -> Result<c_int, RaisedError> {
    // SAFETY: `shared` lives (see `upvalues`). The calling script is suspended in this call, Rust holds no other
    // slice of the buffers (all entries into Luau take `&mut Vm`), and kernels do not enter Luau: the slices made
    // here are the only ones.
    unsafe {
        let (shared, index) = upvalues(l);
        let kernel = &KERNELS[index];
        let mut args = [0; MAX_ARGS];
        for (arg, at) in args.iter_mut().zip(1..=kernel.args.len() as c_int) {
            let source = kernel.args[at as usize - 1];
            let mut is_number = 0;
            let n = ffi::lua_tonumberx(l, at, &raw mut is_number);
            // Luau converts numeric texts, but an argument from a script must be a number.
            let is_number = is_number != 0 && (source == Arg::FromHeader || ffi::lua_type(l, at) == ffi::LUA_TNUMBER);
            *arg = match whole(n) {
                Some(n) if is_number => n,
                _ if !is_number && ffi::lua_type(l, at) <= ffi::LUA_TNIL => NIL,
                _ => return Err(raise(l, "expected a whole number")),
            };
        }
        let Shared { context, layout, state, state_len, choices, .. } = &mut *shared;
        let words = std::slice::from_raw_parts_mut(*state, *state_len);
        let choices = std::slice::from_raw_parts_mut(*choices, BUFFER_WORDS);
        let outcome =
            catch_unwind(AssertUnwindSafe(|| (kernel.run)(context, &mut Position::new(layout, words), choices, &args)));
        match outcome {
            Ok(Ok(Answer::List)) => {
                ffi::lua_createtable(l, context.traces.list.len() as c_int, 0);
                for (i, &n) in context.traces.list.iter().enumerate() {
                    ffi::lua_pushinteger_(l, n);
                    ffi::lua_rawseti_(l, -2, i as c_int + 1);
                }
                Ok(1)
            }
            Ok(Ok(Answer::Number(n))) => {
                ffi::lua_pushinteger_(l, n);
                Ok(1)
            }
            Ok(Ok(Answer::Nothing)) => Ok(0),
            Ok(Err(message)) => Err(raise(l, &message)),
            Err(_) => {
                context.fatal = Some("a kernel of the engine panicked".into());
                Err(raise(l, "a kernel of the engine panicked"))
            }
        }
    }
}

unsafe fn run_text_kernel(l: *mut ffi::lua_State) -> Result<c_int, RaisedError> {
    // SAFETY: as in `run_kernel`; strings are copied while they are on the stack.
    unsafe {
        let (shared, index) = upvalues(l);
        let mut args = Vec::new();
        for i in 1..=ffi::lua_gettop(l).min(MAX_ARGS as c_int) {
            args.push(match ffi::lua_type(l, i) {
                ffi::LUA_TNIL => TextArg::Nil,
                ffi::LUA_TNUMBER => TextArg::Number(ffi::lua_tonumber(l, i)),
                ffi::LUA_TBOOLEAN => TextArg::Bool(ffi::lua_toboolean(l, i) != 0),
                ffi::LUA_TSTRING => TextArg::Text(text_at(l, i)),
                _ => TextArg::Other,
            });
        }
        let Shared { context, layout, state, state_len, .. } = &mut *shared;
        let words = std::slice::from_raw_parts_mut(*state, *state_len);
        let kernel = TEXT_KERNELS[index].1;
        match catch_unwind(AssertUnwindSafe(|| kernel(context, &mut Position::new(layout, words), &args))) {
            Ok(Ok(())) => Ok(0),
            Ok(Err(message)) => {
                drop(args);
                Err(raise(l, &message))
            }
            Err(_) => {
                context.fatal = Some("a kernel of the engine panicked".into());
                Err(raise(l, "a kernel of the engine panicked"))
            }
        }
    }
}

unsafe fn run_ask(l: *mut ffi::lua_State) -> Result<c_int, RaisedError> {
    // SAFETY: as in `run_kernel`; yielding from a C function returns control to the resume in `Vm`, and the values
    // that it pushes become this call's result. The first words of the choice buffer are its count and the first
    // choice.
    unsafe {
        let (shared, _) = upvalues(l);
        let Shared { context, layout, state, state_len, choices, labels, .. } = &mut *shared;
        let player = whole(ffi::lua_tonumber(l, 1)).unwrap_or(0);
        let prompt = whole(ffi::lua_tonumber(l, 2)).unwrap_or(-1);
        let (Ok(seat), Ok(prompt)) = (u8::try_from(player.wrapping_sub(1)), usize::try_from(prompt)) else {
            return Err(raise(l, &format!("cannot ask: no player {player}")));
        };
        if i32::from(seat) >= *state.add(word::PLAYERS) {
            return Err(raise(l, &format!("cannot ask: no player {player}")));
        }
        if context.grants.seat.is_some_and(|own| own != seat) {
            return Err(raise(l, "a hook of a sealed phase may ask only its own player"));
        }
        let words = std::slice::from_raw_parts(*state, *state_len);
        let sight = Sight { declared: &context.declarations, layout, words, seat: Some(seat) };
        let listed = std::slice::from_raw_parts_mut(*choices, BUFFER_WORDS);
        if let Err(message) = context.choosable.prepare(&sight, prompt, listed, &context.budget) {
            return Err(raise(l, &message));
        }
        let listed = &listed[1..=(listed[0].max(0) as usize).min(MAX_CHOICES)];
        if listed.is_empty() {
            let name = context.declarations.prompts.get_index(prompt).map_or("", |(name, _)| name.as_str());
            return Err(raise(l, &format!("no choices for prompt `{name}`")));
        }
        let asked = Question { seat, prompt, values: values_from(l, 3)? };
        let moment = (words[word::ROUND], words[word::PHASE]);
        if let Some(only) = context.take_single(asked, moment, listed) {
            **choices = 0;
            ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, *labels);
            // A label with values is returned as a number, which the caller unpacks.
            if only >= 0 || i64::from(only) < -(ffi::lua_objlen(l, -1) as i64) {
                ffi::lua_pushinteger_(l, only);
            } else {
                ffi::lua_rawgeti_(l, -1, -only);
            }
            return Ok(1);
        }
        wait_for_answer(l, context, asked)
    }
}

/// The values shown in a question's text: the arguments from `first` on.
unsafe fn values_from(l: *mut ffi::lua_State, first: c_int) -> Result<Values, RaisedError> {
    let mut values = Values::NONE;
    // SAFETY: reads arguments of the running C function.
    unsafe {
        for i in 0..(ffi::lua_gettop(l) + 1 - first).clamp(0, MAX_ASKED as c_int) {
            let value = match ffi::lua_type(l, i + first) {
                ffi::LUA_TNIL => continue,
                ffi::LUA_TNUMBER => whole(ffi::lua_tonumber(l, i + first)).filter(|&n| n != NIL),
                _ => None,
            };
            match value {
                Some(value) => values.set(i as usize, value),
                None => return Err(raise(l, "the values of a question must be whole numbers")),
            }
        }
    }
    Ok(values)
}

unsafe fn wait_for_answer(
    l: *mut ffi::lua_State,
    context: &mut Context,
    asked: Question,
) -> Result<c_int, RaisedError> {
    // SAFETY: as in `run_ask`.
    unsafe {
        if !context.in_coroutine {
            context.needs_coroutine = true;
            return Err(raise(l, "this hook asks"));
        }
        if ffi::lua_isyieldable(l) == 0 {
            return Err(raise(l, "cannot ask here: inside a sort, a pattern or another function of the host"));
        }
        context.traces.question = Some(asked);
        Ok(ffi::lua_yield(l, 0))
    }
}

unsafe fn run_ask_together(l: *mut ffi::lua_State) -> Result<c_int, RaisedError> {
    // SAFETY: as in `run_ask`; the state block contains the flow words, and each slice of the choice buffer ends
    // before the next use.
    unsafe {
        let (shared, _) = upvalues(l);
        let Shared { context, state, choices, .. } = &mut *shared;
        let Ok(prompt) = usize::try_from(whole(ffi::lua_tonumber(l, 1)).unwrap_or(-1)) else {
            return Err(raise(l, "cannot ask: no such prompt"));
        };
        if context.grants.seat.is_some() {
            return Err(raise(l, "a hook of a sealed phase may ask only its own player"));
        }
        let values = values_from(l, 2)?;
        context.traces.said_before = context.traces.transcript_len();
        let moment = (*state.add(word::ROUND), *state.add(word::PHASE));
        let mut together = std::mem::take(&mut context.traces.together);
        together
            .force(|seat, choices| context.take_single(Question { seat, prompt, values }, moment, choices).is_some());
        context.traces.together = together;
        let first = context.traces.together.asked().next();
        if let Some(seat) = first {
            context.traces.asks_together = true;
            return wait_for_answer(l, context, Question { seat, prompt, values });
        }
        let mut chosen = std::mem::take(&mut context.traces.list);
        context.traces.together.list_chosen(|_| 0, &mut chosen);
        let buffer = std::slice::from_raw_parts_mut(*choices, BUFFER_WORDS);
        buffer[0] = chosen.len() as i32;
        buffer[1..=chosen.len()].copy_from_slice(&chosen);
        context.traces.list = chosen;
        Ok(0)
    }
}

unsafe fn run_rebind(l: *mut ffi::lua_State) -> Result<c_int, RaisedError> {
    // SAFETY: called while the game is loaded, by the engine's prelude, with a function and a table; both stay on the
    // stack. `lua_checkstack` makes room for at most 255 upvalues and a few more values, and a memory error leaves
    // through a frame that owns nothing. Functions of the engine are left alone: their upvalues are not of scripts.
    unsafe {
        ffi::lua_settop(l, 2);
        if is_own(l) {
            return Ok(0);
        }
        if ffi::lua_checkstack(l, 300) == 0 {
            return Err(raise(l, "not enough memory"));
        }
        let mut count = 0;
        while !ffi::lua_getupvalue(l, 1, count + 1).is_null() {
            count += 1;
            if ffi::lua_type(l, -1) != ffi::LUA_TFUNCTION {
                continue;
            }
            ffi::lua_pushvalue(l, -1);
            ffi::lua_rawget(l, 2);
            if ffi::lua_type(l, -1) == ffi::LUA_TFUNCTION {
                ffi::lua_setupvalue(l, 1, count);
            } else {
                ffi::lua_settop(l, -2);
            }
        }
        Ok(count)
    }
}

/// Whether the function at index 1 is a C function or a function of the engine. Leaves the stack as it was.
unsafe fn is_own(l: *mut ffi::lua_State) -> bool {
    // SAFETY: the caller has a function at index 1. `lua_getinfo` takes the function from the top and fills the record.
    unsafe {
        let mut at: ffi::lua_Debug = std::mem::zeroed();
        if ffi::lua_iscfunction(l, 1) != 0 {
            return true;
        }
        let top = ffi::lua_gettop(l);
        ffi::lua_pushvalue(l, 1);
        let known = ffi::lua_getinfo(l, -1, c"s".as_ptr(), &raw mut at) != 0;
        ffi::lua_settop(l, top);
        !known || std::ffi::CStr::from_ptr(at.source).to_bytes().starts_with(b"=engine/")
    }
}

unsafe fn run_upvalues(l: *mut ffi::lua_State) -> Result<c_int, RaisedError> {
    // SAFETY: the argument is at index 1 during this call, and `lua_checkstack` makes room for its upvalues (at most
    // 255) and a few more values. A memory error leaves through a frame that owns nothing. A function and its clone
    // share the variables that may be assigned to and have copies of all others, so a mark that is set in one and
    // seen in the other identifies the shared ones; the value is restored before any script runs.
    unsafe {
        let (shared, _) = upvalues(l);
        ffi::lua_settop(l, 1);
        if is_own(l) {
            return Ok(0);
        }
        if ffi::lua_checkstack(l, 300) == 0 {
            return Err(raise(l, "not enough memory"));
        }
        let mut count = 0;
        while !ffi::lua_getupvalue(l, 1, count + 1).is_null() {
            count += 1;
        }
        ffi::lua_clonefunction(l, 1);
        let clone = count + 2;
        let mark = shared.cast::<c_void>();
        let is_marked = |function: c_int, upvalue: c_int| {
            ffi::lua_getupvalue(l, function, upvalue);
            let marked = ffi::lua_type(l, -1) == ffi::LUA_TLIGHTUSERDATA && ffi::lua_touserdata(l, -1) == mark;
            ffi::lua_settop(l, -2);
            marked
        };
        for upvalue in 1..=count {
            ffi::lua_pushlightuserdata(l, mark);
            ffi::lua_setupvalue(l, 1, upvalue);
            let shares = is_marked(clone, upvalue);
            let mut known = false;
            for i in 0..(*shared).kept.len() * usize::from(shares) {
                let KeptVariable { function, upvalue, .. } = (&(*shared).kept)[i];
                ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, function);
                known |= is_marked(clone + 1, upvalue);
                ffi::lua_settop(l, clone);
            }
            ffi::lua_pushvalue(l, upvalue + 1);
            ffi::lua_setupvalue(l, 1, upvalue);
            if shares && !known {
                if (*shared).kept.len() >= MAX_KEPT {
                    return Err(raise(l, "too many top-level variables that functions assign to"));
                }
                let (function, value) = (ffi::lua_ref(l, 1), ffi::lua_ref(l, upvalue + 1));
                (*shared).kept.push(KeptVariable { function, upvalue, value });
            }
        }
        ffi::lua_settop(l, count + 1);
        Ok(count)
    }
}
