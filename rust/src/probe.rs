// SPDX-License-Identifier: BSD-2-Clause
//! The macros of the interface, and how a line of arguments is taken apart.
//!
//! An argument is called by what it is in the source, as in C: the last part of its path, or its
//! call. The assembler gets this spelling (`<sdt/format.h>`, "Names of the arguments"), and sdtlink
//! makes a name of it. But text in a template of `asm!` must have no quotes and braces, and a macro
//! cannot escape them. So only the forms that have a name are spelled; anything else is `-`.

/// A probe: `probe!(provider, name, argument, ...)`, with up to six arguments, or up to twelve if
/// none of them is text or bytes with a length. What may be an argument is said at
/// [`Argument`](crate::Argument).
///
/// Provider and name are words of ASCII letters, digits and `_`; `__` in a name is shown as `-`.
///
/// ```
/// struct Request<'a> { path: &'a str, size: u32 }
/// # let request = Request { path: "/", size: 3 };
/// # let (a, b) = (1u64, 2u64);
/// sdt::probe!(web, request__begin, request.path, request.size);   // path, size
/// sdt::probe!(web, wait, millis = (a + b) / 1000);                // millis
/// sdt::probe!(web, idle);
/// ```
///
/// Arguments are called by their path or call: `self.path` is `path`, `path.len()` is `len`,
/// `n as u64` is `n`. `name = expression` gives a name; other expressions are `arg0`, `arg1`, ...
/// by their position. Names need sdtlink; other tracers number the arguments.
///
/// Arguments are evaluated once, from left to right, also while the probe is off.
///
/// ```compile_fail
/// sdt::probe!(web, request, vec![1]);                             // not an argument
/// ```
/// ```compile_fail
/// sdt::probe!(web, a___b);                                        // not a name
/// ```
#[macro_export]
macro_rules! probe {
    ($provider:ident, $name:ident $(,)?) => {
        $crate::__site!($provider $name two)
    };
    ($provider:ident, $name:ident, $($arguments:tt)+) => {
        $crate::__split!(
            ($provider $name two []
             [(0 declare_0 a0 v0 w0) (1 declare_1 a1 v1 w1) (2 declare_2 a2 v2 w2)
              (3 declare_3 a3 v3 w3) (4 declare_4 a4 v4 w4) (5 declare_5 a5 v5 w5) one
              (6 declare_6 a6 v6 w6) (7 declare_7 a7 v7 w7) (8 declare_8 a8 v8 w8)
              (9 declare_9 a9 v9 w9) (10 declare_10 a10 v10 w10) (11 declare_11 a11 v11 w11)])
            $($arguments)+ ,)
    };
}

/// Whether anybody watches a probe: `enabled!(provider, name)` is a `bool`.
///
/// For arguments that are expensive to compute. It is a load, a test and a branch; the counter that
/// it reads, a semaphore, is raised by tracers and by sdtlink's runtime.
///
/// ```
/// # fn summary() -> String { String::new() }
/// if sdt::enabled!(web, summary) {
///     let text = summary();
///     sdt::probe!(web, summary, text.as_str());
/// }
/// ```
#[macro_export]
macro_rules! enabled {
    ($provider:ident, $name:ident $(,)?) => {
        $crate::__enabled!($provider $name)
    };
}

/// Takes one argument after the other off the line. Each step takes a whole one, so that twelve are
/// far from the limit of recursion. The state is what [`__take!`] says.
#[doc(hidden)]
#[macro_export]
macro_rules! __split {
    (($provider:ident $name:ident $words:ident [$($done:tt)*] $slots:tt) $(,)?) => {
        $crate::__site!($provider $name $words $($done)*)
    };
    ($state:tt $name:ident = $value:expr, $($rest:tt)*) => {
        $crate::__take!($state ($value) (stringify!($name)) $($rest)*)
    };
    // a, a.b, a(x).b().c; with & or * before it; with `as` after it.
    ($state:tt $a:ident $(($($x:tt)*))? $(. $b:ident $(($($y:tt)*))?)*, $($rest:tt)*) => {
        $crate::__take!(
            $state ($a $(($($x)*))? $(. $b $(($($y)*))?)*)
            (stringify!($a) $(, $crate::__call!($($x)*))?
             $(, ".", stringify!($b) $(, $crate::__call!($($y)*))?)*)
            $($rest)*)
    };
    ($state:tt & $a:ident $(($($x:tt)*))? $(. $b:ident $(($($y:tt)*))?)*, $($rest:tt)*) => {
        $crate::__take!(
            $state (& $a $(($($x)*))? $(. $b $(($($y)*))?)*)
            (stringify!($a) $(, $crate::__call!($($x)*))?
             $(, ".", stringify!($b) $(, $crate::__call!($($y)*))?)*)
            $($rest)*)
    };
    ($state:tt * $a:ident $(($($x:tt)*))? $(. $b:ident $(($($y:tt)*))?)*, $($rest:tt)*) => {
        $crate::__take!(
            $state (* $a $(($($x)*))? $(. $b $(($($y)*))?)*)
            (stringify!($a) $(, $crate::__call!($($x)*))?
             $(, ".", stringify!($b) $(, $crate::__call!($($y)*))?)*)
            $($rest)*)
    };
    ($state:tt $a:ident $(($($x:tt)*))? $(. $b:ident $(($($y:tt)*))?)* as $type:ty,
     $($rest:tt)*) => {
        $crate::__take!(
            $state ($a $(($($x)*))? $(. $b $(($($y)*))?)* as $type)
            (stringify!($a) $(, $crate::__call!($($x)*))?
             $(, ".", stringify!($b) $(, $crate::__call!($($y)*))?)*)
            $($rest)*)
    };
    // a::b, a::b(x).
    ($state:tt $($a:ident)::+ $(($($x:tt)*))?, $($rest:tt)*) => {
        $crate::__take!(
            $state ($($a)::+ $(($($x)*))?)
            ($("::", stringify!($a)),+ $(, $crate::__call!($($x)*))?)
            $($rest)*)
    };
    ($state:tt $value:expr, $($rest:tt)*) => {
        $crate::__take!($state ($value) ("-") $($rest)*)
    };
}

/// Gives an argument the next slot: its number, the function that declares it, and the names of its
/// value and of its operands. The state is provider, name, whether each argument has one operand or
/// two, the arguments that have slots, and the slots that are left.
#[doc(hidden)]
#[macro_export]
macro_rules! __take {
    (($provider:ident $name:ident $words:ident [$($done:tt)*] [($($slot:tt)*) $($slots:tt)*])
     $value:tt $spelling:tt $($rest:tt)*) => {
        $crate::__split!(
            ($provider $name $words [$($done)* ($($slot)* $value $spelling)] [$($slots)*])
            $($rest)*)
    };
    (($provider:ident $name:ident $words:ident $done:tt [one $($slots:tt)*]) $($rest:tt)*) => {
        $crate::__take!(($provider $name one $done [$($slots)*]) $($rest)*)
    };
    ($($rest:tt)*) => { compile_error!("a probe has at most 12 arguments") };
}

/// How the arguments of a call are spelled.
#[doc(hidden)]
#[macro_export]
macro_rules! __call {
    ($($arguments:tt)*) => {
        "()"
    };
}
