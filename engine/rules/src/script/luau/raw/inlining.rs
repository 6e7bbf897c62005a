//! How large functions may be that Luau's compiler inlines.
//!
//! Accessors are functions of a script, and a call that is not inlined takes longer than most of them. Luau's own limits are made for code
//! that is small; only a process can set them, not a compiler.

use std::sync::Once;
use std::sync::atomic::{AtomicI32, Ordering};

/// The largest cost of a function that is inlined, as Luau estimates it.
const THRESHOLD: i32 = 60;
/// How deep inlined calls may be nested. A call costs at least 3, so a function of this cost has 20, and one that calls such functions becomes
/// 20^3 calls long at most; with Luau's own limits that is 8^5.
const DEPTH: i32 = 3;

/// Luau's own limits. Other values belong to somebody else, or to another version, and stay.
const LUAU: (i32, i32) = (25, 5);

// Luau's `FInt::LuauCompileInlineThreshold` and `FInt::LuauCompileInlineDepth`, of type `Luau::FValue<int>`, whose first field is the value.
unsafe extern "C" {
    #[cfg_attr(not(target_env = "msvc"), link_name = "_ZN4FInt26LuauCompileInlineThresholdE")]
    #[cfg_attr(target_env = "msvc", link_name = "?LuauCompileInlineThreshold@FInt@@3U?$FValue@H@Luau@@A")]
    static INLINE_THRESHOLD: AtomicI32;
    #[cfg_attr(not(target_env = "msvc"), link_name = "_ZN4FInt22LuauCompileInlineDepthE")]
    #[cfg_attr(target_env = "msvc", link_name = "?LuauCompileInlineDepth@FInt@@3U?$FValue@H@Luau@@A")]
    static INLINE_DEPTH: AtomicI32;
}

/// Lets Luau inline larger functions, in this process; before anything is compiled with inlining.
pub fn inline_more() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        // SAFETY: objects of static duration, which the linker has found by their names; `FValue<int>` has standard layout, so that its
        // address is that of its first field, an aligned `int`, which is written through an atomic of the same size. Nobody else writes
        // it once the program runs, and the engine compiles nothing with inlining before this function has returned.
        let (threshold, depth) = unsafe { (&INLINE_THRESHOLD, &INLINE_DEPTH) };
        if (threshold.load(Ordering::Relaxed), depth.load(Ordering::Relaxed)) == LUAU {
            threshold.store(THRESHOLD, Ordering::Relaxed);
            depth.store(DEPTH, Ordering::Relaxed);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A version of Luau that keeps its limits elsewhere, or has other ones, would go unnoticed.
    #[test]
    fn the_limits_are_luaus() {
        inline_more();
        // SAFETY: as above.
        let limits = unsafe { (INLINE_THRESHOLD.load(Ordering::Relaxed), INLINE_DEPTH.load(Ordering::Relaxed)) };
        assert_eq!(limits, (THRESHOLD, DEPTH));
    }
}
