// SPDX-License-Identifier: BSD-2-Clause
//! What may be an argument of a probe, and as what it is passed.
//!
//! The assembler has to know each argument's type while it writes the note, and a macro does not
//! know types. `const` operands, which could tell it, came with Rust 1.82. So each type has a
//! function that is always inlined, whose only content is an assembler's assignment:
//! `.set .Lsdt_t0, 20` for an `i32` as the first argument. It is expanded right before the site's
//! assembly, which reads the symbol and then makes it invalid. LLVM keeps statements of inline
//! assembly in their order; if anything did get between, the site would not assemble
//! (`crate::site`).
//!
//! A type's number is that of `enum sdt_arg_type` in `<sdt/format.h>`. With 256 a second register
//! holds a length, of text, or of bytes if there are 512 as well.

use crate::site::{declare_functions, declare_text};

/// What may be an argument of [`probe!`](crate::probe!): integers, `bool`, `char`, `f32`, `f64`,
/// raw pointers, text and bytes.
///
/// | type | tracers see |
/// |---|---|
/// | `i8` to `i64`, `isize`, `u8` to `u64`, `usize` | an integer |
/// | `bool` | a bool |
/// | `char` | its code, an unsigned integer |
/// | `f32`, `f64` | a floating-point number; those of the kernel, its bits |
/// | `*const T`, `*mut T` | an address |
/// | `&str` | text: its address and its length |
/// | `&[u8]`, `&[u8; N]` | bytes: their address and their length |
/// | `&CStr` (with the feature `std`) | text that ends with a NUL |
///
/// For other types, pass a field, a pointer, or what a conversion gives: `duration.as_nanos() as
/// u64`, `level as i32`, `name.as_str()`.
pub trait Argument: Copy + private::Sealed {
    #[doc(hidden)]
    type First: Copy;
    #[doc(hidden)]
    type Second: Copy;
    /// What the first register holds.
    #[doc(hidden)]
    fn first(self) -> Self::First;
    /// What the second one holds; where there is none, the same again, which costs nothing.
    #[doc(hidden)]
    fn second(self) -> Self::Second;
    declare_functions!();
}

/// An [`Argument`] that is one word: any but `&str`, `&[u8]` and `&[u8; N]`. A probe with more than
/// six arguments accepts no others, since there would not be enough registers.
pub trait OneWord: Argument {}

mod private {
    pub trait Sealed {}
}

/// `[parameters] type: number, type of the register = the value x in it[, and the length];`
macro_rules! arguments {
    ($([$($parameters:tt)*] $type:ty: $number:literal, $first:ty = |$x:ident| $value:expr
       $(, $length:expr)?;)*) => {
        $(
            impl<$($parameters)*> private::Sealed for $type {}
            impl<$($parameters)*> Argument for $type {
                type First = $first;
                type Second = arguments!(@second $first $(, $length)?);
                #[inline(always)]
                fn first(self) -> $first {
                    let $x = self;
                    $value
                }
                #[inline(always)]
                fn second(self) -> Self::Second {
                    let $x = self;
                    arguments!(@value $value $(, $length)?)
                }
                declare_text!($number);
            }
            arguments!(@word [$($parameters)*] $type $(, $length)?);
        )*
    };
    (@second $first:ty) => { $first };
    (@second $first:ty, $length:expr) => { usize };
    (@value $value:expr) => { $value };
    (@value $value:expr, $length:expr) => { $length };
    (@word [$($parameters:tt)*] $type:ty) => { impl<$($parameters)*> OneWord for $type {} };
    (@word [$($parameters:tt)*] $type:ty, $length:expr) => {};
}

// No register operand has eight bits on x86-64; tracers read the lowest byte of any.
arguments! {
    [] i8: 0x11, i32 = |x| i32::from(x);
    [] i16: 0x12, i16 = |x| x;
    [] i32: 0x14, i32 = |x| x;
    [] i64: 0x18, i64 = |x| x;
    [] isize: 0x18, isize = |x| x;
    [] u8: 0x01, u32 = |x| u32::from(x);
    [] u16: 0x02, u16 = |x| x;
    [] u32: 0x04, u32 = |x| x;
    [] u64: 0x08, u64 = |x| x;
    [] usize: 0x08, usize = |x| x;
    [] bool: 0x81, u32 = |x| u32::from(x);
    [] char: 0x04, u32 = |x| u32::from(x);
    [] f32: 0x24, u32 = |x| x.to_bits();
    [] f64: 0x28, u64 = |x| x.to_bits();
    [T] *const T: 0x48, *const T = |x| x;
    [T] *mut T: 0x48, *mut T = |x| x;
    ['a] &'a str: 0x1c8, *const u8 = |x| x.as_ptr(), x.len();
    ['a] &'a [u8]: 0x348, *const u8 = |x| x.as_ptr(), x.len();
    ['a, const N: usize] &'a [u8; N]: 0x348, *const u8 = |x| x.as_ptr(), x.len();
}
#[cfg(feature = "std")]
arguments! {
    ['a] &'a std::ffi::CStr: 0xc8, *const std::os::raw::c_char = |x| x.as_ptr();
}
