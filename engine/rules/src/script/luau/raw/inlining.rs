//! Raises the limits of Luau's inliner.
//!
//! Accessors are functions of a script, and a call that is not inlined takes longer than most of them. Luau's own
//! limits suit small code; they can be set only for a process, not for a compiler.

use std::sync::Once;
use std::sync::atomic::{AtomicI32, Ordering};

/// Maximum cost of an inlined function, as Luau estimates it.
const THRESHOLD: i32 = 60;
/// Maximum nesting of inlined calls. A call costs at least 3, so a function of this cost has 20 calls, and one that
/// calls such functions becomes at most 20^3 calls long; with Luau's own limits that is 8^5.
const DEPTH: i32 = 3;

/// Luau's own limits. Different values come from other code or another version, and stay unchanged.
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

/// Lets Luau inline larger functions in this process. Call before anything is compiled with inlining.
pub fn inline_more() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        // SAFETY: objects of static duration, which the linker has found by their names; `FValue<int>` has standard
        // layout, so its address is that of its first field, an aligned `int`, which is written through an atomic of
        // the same size. No other code writes it while the program runs, and the engine compiles nothing with
        // inlining before this function has returned.
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

    /// Detects a version of Luau that moves or changes its limits.
    #[test]
    fn the_limits_are_luaus() {
        inline_more();
        // SAFETY: as above.
        let limits = unsafe { (INLINE_THRESHOLD.load(Ordering::Relaxed), INLINE_DEPTH.load(Ordering::Relaxed)) };
        assert_eq!(limits, (THRESHOLD, DEPTH));
    }
}
