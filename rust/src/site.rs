// SPDX-License-Identifier: BSD-2-Clause
//! A site: the bytes, the note and the entry in `.sdt_args` that `<sdt/note.h>` of sdtlink makes,
//! which says why each is as it is.
//!
//! For each argument `i` the symbol `.Lsdt_t{i}` has its type, see `crate::argument`. After the
//! site it is invalid, so that no other site can take it for its own.

/// `declare_0` to `declare_11`, in a trait.
macro_rules! declare_functions {
    () => {
        $crate::site::declare_functions!(
            declare_0 declare_1 declare_2 declare_3 declare_4 declare_5 declare_6 declare_7
            declare_8 declare_9 declare_10 declare_11
        );
    };
    ($($function:ident)+) => {$(
        #[doc(hidden)]
        #[allow(improper_ctypes_definitions)]
        extern "C" fn $function(self);
    )*};
}

/// The same for a type whose number is given. `extern "C"`, because such a function does not
/// unwind: nothing gets between it and the site.
macro_rules! declare_text {
    ($number:literal) => {
        $crate::site::declare_text!(
            $number declare_0 0, declare_1 1, declare_2 2, declare_3 3, declare_4 4, declare_5 5,
            declare_6 6, declare_7 7, declare_8 8, declare_9 9, declare_10 10, declare_11 11
        );
    };
    ($number:literal $($function:ident $place:literal),*) => {$(
        #[inline(always)]
        #[allow(improper_ctypes_definitions)]
        extern "C" fn $function(self) {
            // SAFETY: an assignment in the assembler; no instruction.
            unsafe {
                core::arch::asm!(
                    concat!(".set .Lsdt_t", $place, ", ", $number),
                    options(nomem, nostack, preserves_flags)
                )
            }
        }
    )*};
}
pub(crate) use {declare_functions, declare_text};

/// What machines differ in: the bytes of a site, a relocation that does nothing, how an operand of
/// `asm!` is printed as a whole register, and how a semaphore is read.
#[cfg(target_arch = "x86_64")]
mod machine {
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __machine {
        (nops) => { ".byte 0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\n" };
        (none) => { "R_X86_64_NONE" };
        (register $operand:ident) => { concat!("{", stringify!($operand), ":r}") };
        (read $counter:expr) => { concat!("movzwl ", $counter, "(%rip), {answer:e}\n") };
        (asm $($words:tt)*) => {
            $crate::__private::asm!($($words)*, options(att_syntax, nostack))
        };
    }
}
#[cfg(target_arch = "aarch64")]
mod machine {
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __machine {
        (nops) => { "nop\n" };
        (none) => { "R_AARCH64_NONE" };
        (register $operand:ident) => { concat!("{", stringify!($operand), ":x}") };
        (read $counter:expr) => {
            concat!("adrp {answer:x}, ", $counter, "\n",
                    "ldrh {answer:w}, [{answer:x}, :lo12:", $counter, "]\n")
        };
        (asm $($words:tt)*) => {
            $crate::__private::asm!($($words)*, options(nostack))
        };
    }
}
#[cfg(target_arch = "riscv64")]
mod machine {
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __machine {
        (nops) => { "nop\n" };
        (none) => { "R_RISCV_NONE" };
        (register $operand:ident) => { concat!("{", stringify!($operand), "}") };
        (read $counter:expr) => {
            concat!("lla {answer}, ", $counter, "\n", "lhu {answer}, 0({answer})\n")
        };
        (asm $($words:tt)*) => {
            $crate::__private::asm!($($words)*, options(nostack))
        };
    }
}

/// The name of a probe's semaphore.
#[doc(hidden)]
#[macro_export]
macro_rules! __counter {
    ($provider:ident $name:ident) => {
        concat!(stringify!($provider), "_", stringify!($name), "_semaphore")
    };
}

/// The type of argument `i` in the assembler.
#[doc(hidden)]
#[macro_export]
macro_rules! __type {
    ($i:tt) => {
        concat!(".Lsdt_t", $i)
    };
}

/// The statement. Values that are made for the arguments live to the end of the `match`.
#[doc(hidden)]
#[macro_export]
macro_rules! __site {
    ($provider:ident $name:ident $words:ident
     $(($i:tt $declare:ident $a:ident $v:ident $w:ident $value:tt $spelling:tt))*) => {{
        const _: () = $crate::__private::check(stringify!($provider), stringify!($name));
        $crate::__mark!();
        match ($($value,)*) {
            ($($a,)*) => {
                $crate::__site!(@values $words $(($a $v $w))*);
                // SAFETY: a comment, which changes nothing.
                #[allow(unsafe_code)]
                unsafe {
                    $crate::__site!(@assemble $words
                        ($crate::__fence!($provider $name $words $(($v $w $spelling))*))
                        (, options(nomem, preserves_flags)) $(($v $w))*)
                }
                $($crate::Argument::$declare($a);)*
                // SAFETY: NOPs, which read and change nothing.
                #[allow(named_asm_labels, unsafe_code)]
                unsafe {
                    $crate::__site!(@assemble $words
                        ($crate::__text!($provider $name $words $(($i $v $w $spelling))*))
                        () $(($v $w))*)
                }
            }
        }
    }};
    (@values two $(($a:ident $v:ident $w:ident))*) => {
        $(let ($v, $w) = ($crate::Argument::first($a), $crate::Argument::second($a));)*
    };
    (@values one $(($a:ident $v:ident $w:ident))*) => {
        $(
            $crate::__private::one_word(&$a);
            let $v = $crate::Argument::first($a);
        )*
    };
    (@assemble two ($text:expr) ($($options:tt)*) $(($v:ident $w:ident))*) => {
        $crate::__machine!(asm $text $(, $v = in(reg) $v, $w = in(reg) $w)* $($options)*)
    };
    (@assemble one ($text:expr) ($($options:tt)*) $(($v:ident $w:ident))*) => {
        $crate::__machine!(asm $text $(, $v = in(reg) $v)* $($options)*)
    };
}

/// What comes before the types of a site: a comment, with the site's operands and all that is said
/// of it. Where two branches begin alike, LLVM moves what is the same in both before the branch:
/// the assignments of types, too. It moves none across this statement, and this one only together
/// with the whole site.
#[doc(hidden)]
#[macro_export]
macro_rules! __fence {
    ($provider:ident $name:ident $words:ident $(($v:ident $w:ident ($($spelling:tt)*)))*) => {
        concat!(
            "/* ", file!(), ":", line!(), ":", column!(), " ",
            stringify!($provider), ":", stringify!($name),
            $(" ", $($spelling)*, $crate::__registers!($words $v $w),)*
            " */"
        )
    };
}

/// The registers of an argument, each after a blank.
#[doc(hidden)]
#[macro_export]
macro_rules! __registers {
    (two $v:ident $w:ident) => {
        concat!(" ", $crate::__machine!(register $v), " ", $crate::__machine!(register $w))
    };
    (one $v:ident $w:ident) => {
        concat!(" ", $crate::__machine!(register $v))
    };
}

/// Bitcode with probes is recognised by this symbol, which is in its table of symbols if assembly
/// outside of functions names it (SDT_SYMBOL_MARK in `<sdt/format.h>`). It is nothing else.
#[doc(hidden)]
#[macro_export]
macro_rules! __mark {
    () => {
        #[allow(unsafe_code)]
        mod mark {
            $crate::__private::global_asm!(
                ".weak __dtrace_sdtmark",
                ".hidden __dtrace_sdtmark",
                ".set __dtrace_sdtmark, 0"
            );
        }
    };
}

/// The text of a site.
#[doc(hidden)]
#[macro_export]
macro_rules! __text {
    ($provider:ident $name:ident $words:ident
     $(($i:tt $v:ident $w:ident ($($spelling:tt)*)))*) => {
        concat!(
            $(
                ".ifndef ", $crate::__type!($i), "\n.set ", $crate::__type!($i), ", -1\n.endif\n",
                ".if ", $crate::__type!($i), " < 0\n",
                ".error \"sdt::probe: the compiler has separated a probe from the types of its ",
                "arguments\"\n.set ", $crate::__type!($i), ", 8\n.endif\n",
            )*
            // What a note cannot say (SDT_ARGS_NAMED_NOTE).
            ".pushsection .sdt_args, \"e?\", @progbits\n",
            ".long 990f - .\n",
            ".byte 7, 0", $(" + 1 + (", $crate::__type!($i), " >> 8 & 1)",)* "\n",
            $(
                ".byte ", $crate::__type!($i), " & 255\n",
                ".if ", $crate::__type!($i), " & 256\n.byte 8\n.endif\n",
            )*
            ".long 989f - .\n",
            ".asciz \"", stringify!($provider), "\"\n",
            ".asciz \"", stringify!($name), "\"\n",
            ".popsection\n",
            // How the arguments are spelled.
            ".pushsection .rodata.str1.1, \"aMS\", @progbits, 1\n",
            "989:\n.ascii \"", file!(), ":", line!(), "\\n", stringify!($name), "\"\n",
            $(
                ".ascii \", \"\n",
                ".if ", $crate::__type!($i), " & 256\n",
                ".if ", $crate::__type!($i), " & 512\n.ascii \"SDT_BYTES(\"\n",
                ".else\n.ascii \"SDT_TEXT(\"\n.endif\n",
                ".endif\n",
                ".ascii \"", $($spelling)*, "\"\n",
                ".if ", $crate::__type!($i), " & 256\n.ascii \", 0)\"\n.endif\n",
            )*
            ".byte 0\n",
            ".popsection\n",
            // The note.
            ".ifndef _.stapsdt.base\n",
            ".pushsection .stapsdt.base, \"axG\", @progbits, .stapsdt.base, comdat\n",
            ".weak _.stapsdt.base\n",
            ".hidden _.stapsdt.base\n",
            "_.stapsdt.base:\n",
            ".space 1\n",
            ".size _.stapsdt.base, 1\n",
            ".popsection\n",
            ".endif\n",
            ".weak ", $crate::__counter!($provider $name), "\n",
            ".hidden ", $crate::__counter!($provider $name), "\n",
            ".pushsection .note.stapsdt, \"?\", @note\n",
            ".balign 4\n",
            ".long 992f - 991f, 994f - 993f, 3\n",
            "991:\n.asciz \"stapsdt\"\n",
            "992:\n.balign 4\n",
            "993:\n.8byte 990f, _.stapsdt.base, ", $crate::__counter!($provider $name), "\n",
            ".asciz \"", stringify!($provider), "\"\n",
            ".asciz \"", stringify!($name), "\"\n",
            $($crate::__operand!($words $i $v $w),)*
            ".byte 0\n",
            "994:\n.balign 4\n",
            ".popsection\n",
            $(".set ", $crate::__type!($i), ", -1\n",)*
            "990:\n", $crate::__machine!(nops),
            ".reloc 990b, ", $crate::__machine!(none), ", _.stapsdt.base\n",
        )
    };
}

/// An argument in a note: a blank, except before the first one; a sign; the size; the register. The
/// sign is computed as in `<sdt/note.h>`: bit 4, unless bit 7 says that it is something else.
#[doc(hidden)]
#[macro_export]
macro_rules! __operand {
    (two $i:tt $v:ident $w:ident) => {
        concat!(
            $crate::__operand!(one $i $v $w),
            ".if ", $crate::__type!($i), " & 256\n",
            ".ascii \" 8@", $crate::__machine!(register $w), "\"\n.endif\n",
        )
    };
    (one $i:tt $v:ident $w:ident) => {
        concat!(
            ".if ", $i, "\n.byte 32\n.endif\n",
            ".fill (", $crate::__type!($i), " >> 4) & ((", $crate::__type!($i), " >> 7) ^ 1) & 1",
            ", 1, 45\n",
            ".byte 48 + (", $crate::__type!($i), " & 15)\n",
            ".ascii \"@", $crate::__machine!(register $v), "\"\n",
        )
    };
}

/// Reads a probe's semaphore, and defines it, as `<sdt/semaphore.h>` does.
#[doc(hidden)]
#[macro_export]
macro_rules! __enabled {
    ($provider:ident $name:ident) => {{
        const _: () = $crate::__private::check(stringify!($provider), stringify!($name));
        let answer: u32;
        // SAFETY: reads two bytes that the same statement defines.
        #[allow(named_asm_labels, unsafe_code)]
        unsafe {
            $crate::__machine!(asm
                concat!(
                    ".reloc ., ", $crate::__machine!(none), ", _.stapsdt.probes\n",
                    ".ifndef _.stapsdt.probes\n",
                    ".pushsection .probes, \"awG\", @progbits, .stapsdt.probes, comdat\n",
                    ".weak _.stapsdt.probes\n",
                    ".hidden _.stapsdt.probes\n",
                    ".balign 4096\n",
                    "_.stapsdt.probes:\n",
                    ".popsection\n",
                    ".endif\n",
                    ".ifndef .Lsdt_", $crate::__counter!($provider $name), "\n",
                    ".set .Lsdt_", $crate::__counter!($provider $name), ", 1\n",
                    ".pushsection .probes, \"awG\", @progbits, .sdt.",
                    $crate::__counter!($provider $name), ", comdat\n",
                    ".balign 2\n",
                    ".weak ", $crate::__counter!($provider $name), "\n",
                    ".hidden ", $crate::__counter!($provider $name), "\n",
                    ".type ", $crate::__counter!($provider $name), ", @object\n",
                    ".size ", $crate::__counter!($provider $name), ", 2\n",
                    $crate::__counter!($provider $name), ":\n",
                    ".zero 2\n",
                    ".popsection\n",
                    ".endif\n",
                    $crate::__machine!(read $crate::__counter!($provider $name))
                ),
                answer = out(reg) answer, options(readonly, preserves_flags))
        }
        answer != 0
    }};
}
