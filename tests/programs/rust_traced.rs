// SPDX-License-Identifier: BSD-2-Clause
//! compat_traced.c in Rust: probes with 0 to 12 arguments, executed a known number of times with
//! known values. The test writes its own name for PROVIDER.
#![deny(warnings)]
#![deny(unsafe_code)]

#[inline(never)]
fn many(i: i32) {
    if i % 2 == 0 {
        sdt::probe!(PROVIDER, many__sites, i);
    } else {
        sdt::probe!(PROVIDER, many__sites, -i);
    }
}

fn main() {
    let rounds: i32 = std::env::args().nth(1).map_or(10, |word| word.parse().expect("a number"));
    let looked = 0;
    for i in 0..rounds {
        let c = (i - 100) as i8;
        let u = (i + 200) as u8;
        let s = (i - 1000) as i16;
        let us = (i + 60000) as u16;
        let ui = i as u32 + 4_000_000_000;
        let l = i64::from(i) - 5_000_000_000;
        let ul = i as u64 + 0x8000_0000_0000_0000;
        let text = std::ffi::CString::new(format!("round {}", i % 10)).expect("no NUL");

        sdt::probe!(PROVIDER, none);
        sdt::probe!(PROVIDER, string, text.as_c_str());
        sdt::probe!(
            PROVIDER, twelve, c, u, s, us, i, ui, l, ul, is_one = i == 1,
            &looked as *const i32, 77i32, before = l - 1
        );
        many(i);
    }
    println!("looked {}", looked);
}
