// SPDX-License-Identifier: BSD-2-Clause
//! Where there are no probes: the macros of `crate::site` that check everything and do nothing.

macro_rules! declare_functions {
    () => {};
}
macro_rules! declare_text {
    ($number:literal) => {};
}
pub(crate) use {declare_functions, declare_text};

/// The statement: types are checked, nothing is evaluated.
#[doc(hidden)]
#[macro_export]
macro_rules! __site {
    ($provider:ident $name:ident $words:ident
     $(($i:tt $declare:ident $a:ident $v:ident $w:ident $value:tt $spelling:tt))*) => {{
        const _: () = $crate::__private::check(stringify!($provider), stringify!($name));
        if false {
            $($crate::__site!(@check $words $value);)*
        }
    }};
    (@check two $value:tt) => { $crate::__private::argument(&$value) };
    (@check one $value:tt) => { $crate::__private::one_word(&$value) };
}

/// Nobody watches.
#[doc(hidden)]
#[macro_export]
macro_rules! __enabled {
    ($provider:ident $name:ident) => {{
        const _: () = $crate::__private::check(stringify!($provider), stringify!($name));
        false
    }};
}
