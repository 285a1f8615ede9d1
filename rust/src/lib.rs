// SPDX-License-Identifier: BSD-2-Clause
#![cfg_attr(not(feature = "std"), no_std)]
#![warn(missing_docs)]
//! Static probes: named places in a program, with arguments.
//!
//! ```
//! fn serve(path: &str, size: usize) {
//!     sdt::probe!(web, request, path, size);
//!     // ...
//! }
//! # serve("/", 1);
//! ```
//!
//! A probe that is off is a NOP of eleven bytes on x86-64, of four on aarch64, of two on riscv64.
//! A note in the file, which is not loaded, says where it is and in which registers its arguments
//! are. It is the note of `<sys/sdt.h>`, so `bpftrace`, `perf`, `gdb` and SystemTap know it, and
//! `sdt trace -- ./program` of sdtlink arms it without root. Nothing has to be installed to build
//! or to run the program. Linked by sdtlink, with `-C linker=sdtlink-linker`, the same program can
//! be attached to while it runs, and its arguments have names and exact types.
//!
//! Probes of Rust, C and C++ are the same: those of one name in one program are one probe.
//!
//! # Where it works
//!
//! On Linux for x86-64, aarch64 and riscv64 (little-endian, with 64-bit pointers). Elsewhere, and
//! under Miri, [`probe!`] compiles to nothing and evaluates nothing, but types and names are
//! checked, and [`enabled!`] is `false`.
//!
//! # Limits
//!
//! - Arguments are evaluated whether the probe is on or off; see [`enabled!`].
//! - The macros expand to `unsafe` blocks of inline assembly, so they do not compile under
//!   `#![forbid(unsafe_code)]`; `#![deny(unsafe_code)]` is no problem.
//! - In a generic function, an argument cannot be of a type that is a parameter: the assembler has
//!   to know what it is. Convert it first.
//! - The compiler assumes that a probe reads and writes all memory, as a handler may.

mod argument;
mod names;
mod probe;
#[cfg_attr(
    not(all(
        any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_arch = "riscv64"
        ),
        target_os = "linux",
        target_endian = "little",
        target_pointer_width = "64",
        not(miri)
    )),
    path = "nothing.rs"
)]
mod site;

pub use argument::{Argument, OneWord};

/// What the macros expand to; not for others.
#[doc(hidden)]
pub mod __private {
    pub use crate::names::check;
    pub use core::arch::{asm, global_asm};

    /// Compiles if the argument is one.
    #[inline(always)]
    pub fn argument<T: crate::Argument>(_: &T) {}
    /// Compiles if the argument takes a single register.
    #[inline(always)]
    pub fn one_word<T: crate::OneWord>(_: &T) {}
}
