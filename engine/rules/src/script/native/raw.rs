//! The unsafe part of machine code: its memory, its entry, and the code itself.
//!
//! Direction: arena <- table <- frame <- code <- self
#![allow(unsafe_code)]

pub mod arena;
pub mod code;
pub mod frame;
pub mod table;
