// SPDX-License-Identifier: BSD-2-Clause
//! What a probe may be called: the rules of `<sdt/names.h>`, which come from the symbols that
//! sdtlink makes of names.

/// Does not compile if a name is wrong.
pub const fn check(provider: &str, name: &str) {
    let (p, n) = (provider.as_bytes(), name.as_bytes());
    if !is_word(p) || !is_word(n) {
        panic!("provider and name of a probe are made of ASCII letters, digits and _");
    }
    if has_triple(p) || has_triple(n) {
        panic!("provider and name of a probe must not contain ___");
    }
    if p[p.len() - 1] == b'_' {
        panic!("the provider of a probe must not end in _");
    }
}

const fn is_word(text: &[u8]) -> bool {
    let mut i = 0;
    while i < text.len() {
        if !text[i].is_ascii_alphanumeric() && text[i] != b'_' {
            return false;
        }
        i += 1;
    }
    !text.is_empty()
}

const fn has_triple(text: &[u8]) -> bool {
    let mut i = 2;
    while i < text.len() {
        if text[i] == b'_' && text[i - 1] == b'_' && text[i - 2] == b'_' {
            return true;
        }
        i += 1;
    }
    false
}
