//! Functions of the engine's own scripts: a value that the running hook keeps, the number of fields of a table, and lists
//! of players. They take no steps, so that machine code can do the same in another way.
//!
//! The upvalue of `kept` and `keep` is a table with the value of each coroutine. All coroutines are in it from the start,
//! so that a write never makes it larger.

use std::ffi::c_int;
use std::ops::RangeInclusive;

use mlua::ffi;

use crate::script::luau::raw::vm::Vm;
use crate::state::layout::MAX_PLAYERS;

/// The names of the functions in the engine's table, without `__`.
pub const OWN_FUNCTIONS: [&str; 3] = ["kept", "keep", "count_fields"];

impl Vm {
    /// The functions with [these names](OWN_FUNCTIONS), in their order.
    pub fn own_functions(&self) -> mlua::Result<[mlua::Function; 3]> {
        // SAFETY: protected; the threads live as long as the VM, and three more values fit on the stack.
        let functions: (mlua::Function, mlua::Function, mlua::Function) = unsafe {
            self.lua().exec_raw((), |l| {
                ffi::lua_createtable(l, 0, self.coroutines().count() as c_int);
                for thread in self.coroutines() {
                    ffi::lua_pushthread(thread);
                    ffi::lua_xmove(thread, l, 1);
                    ffi::lua_pushboolean(l, 0);
                    ffi::lua_rawset(l, 1);
                }
                for function in [kept, keep] {
                    ffi::lua_pushvalue(l, 1);
                    ffi::lua_pushcclosurek(l, function, c"kept".as_ptr(), 1, None);
                }
                ffi::lua_pushcclosurek(l, count_fields, c"count_fields".as_ptr(), 0, None);
                ffi::lua_remove(l, 1);
            })?
        };
        Ok(functions.into())
    }

    /// The table of the players in the game, by number of seats and bits of the seats that have left. Each list is made
    /// when it is first used. There is room for those of all these numbers of seats, so that the table never grows.
    pub fn lists_of_players(&self, seats: RangeInclusive<u8>) -> mlua::Result<mlua::Table> {
        let room = seats.fold(0, |room, seats| room + (1 << seats));
        // SAFETY: protected; a few values fit on the stack.
        unsafe {
            self.lua().exec_raw((), |l| {
                ffi::lua_createtable(l, 0, room);
                ffi::lua_createtable(l, 0, 1);
                ffi::lua_pushcclosurek(l, list_players, c"list_players".as_ptr(), 0, None);
                ffi::lua_setfield(l, 2, c"__index".as_ptr());
                ffi::lua_setmetatable(l, 1);
            })
        }
    }
}

/// `list_players(lists, key)`: makes the list of a key.
unsafe extern "C-unwind" fn list_players(l: *mut ffi::lua_State) -> c_int {
    // SAFETY: only the engine's scripts have the table, and they pass a number; C functions have at least 20 free slots.
    unsafe {
        let key = ffi::lua_tonumber(l, 2) as i64;
        let (seats, out) = ((key >> 16).clamp(0, MAX_PLAYERS as i64), key & 0xffff);
        let staying = || (1..=seats).filter(|player| out >> (player - 1) & 1 == 0);
        ffi::lua_createtable(l, staying().count() as c_int, 0);
        for (place, player) in (1..).zip(staying()) {
            ffi::lua_pushinteger_(l, player as c_int);
            ffi::lua_rawseti_(l, -2, place);
        }
        ffi::lua_setreadonly(l, -1, 1);
        ffi::lua_pushvalue(l, 2);
        ffi::lua_pushvalue(l, -2);
        ffi::lua_rawset(l, 1);
    }
    1
}

/// `kept()`: the value of the running hook; `false` at its start.
unsafe extern "C-unwind" fn kept(l: *mut ffi::lua_State) -> c_int {
    // SAFETY: reads the upvalue, which is a table; C functions have at least 20 free slots.
    unsafe {
        ffi::lua_pushthread(l);
        ffi::lua_rawget(l, ffi::lua_upvalueindex(1));
    }
    1
}

/// `keep(value)`: sets it; it must not be `nil`.
unsafe extern "C-unwind" fn keep(l: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `kept`; the key is in the table already.
    unsafe {
        ffi::lua_settop(l, 1);
        ffi::lua_pushthread(l);
        ffi::lua_insert(l, 1);
        ffi::lua_rawset(l, ffi::lua_upvalueindex(1));
    }
    0
}

/// `count_fields(table)`: the number of fields of a small table.
unsafe extern "C-unwind" fn count_fields(l: *mut ffi::lua_State) -> c_int {
    let mut count = 0;
    // SAFETY: the engine's scripts pass a table, and `lua_next` gets keys of this table.
    unsafe {
        ffi::lua_settop(l, 1);
        ffi::lua_pushnil(l);
        while ffi::lua_next(l, 1) != 0 {
            ffi::lua_settop(l, 2);
            count += 1;
        }
        ffi::lua_pushinteger_(l, count);
    }
    1
}
