// SPDX-License-Identifier: BSD-2-Clause
//! Every type of argument, every form that has a name, and a question.
#![deny(warnings)]

mod stock {
    pub const LIMIT: i64 = -7;
    pub fn count(n: u32) -> usize {
        n as usize + 1
    }
}

struct Item<'a> {
    name: &'a str,
    label: &'a std::ffi::CStr,
    weight: f64,
    share: f32,
    pair: (i8, bool),
}

impl Item<'_> {
    #[inline(never)]
    fn sell(&self, i: u32, bytes: &[u8]) {
        sdt::probe!(shop, sale, self.name, self.label, bytes, data = b"\x01\x02", i,);
        sdt::probe!(
            shop, index, i as i16, stock::LIMIT, stock::count(i), self.name.len(),
            self.name.as_ptr(), self.weight, self.share, self.pair.0, high = i > 3, 'x', i + 1, *&i
        );
        sdt::probe!(shop, six, self.name, bytes, self.name, bytes, "quoted \"{}\"", self.name);
        if sdt::enabled!(shop, asked) {
            let name = self.name.to_uppercase();
            sdt::probe!(shop, asked, name.as_str());
            println!("asked");
        }
    }
}

fn main() {
    let label = std::ffi::CString::new("label").expect("no NUL");
    for i in 0..5 {
        let name = format!("item {}", i);
        let (weight, share, pair) = (0.5, 2.5, (-3, true));
        Item { name: &name, label: &label, weight, share, pair }.sell(i, &[i as u8, 255]);
    }
    let threads: Vec<_> = (0..4)
        .map(|_| std::thread::spawn(|| (0..1000u64).for_each(|n| sdt::probe!(shop, thread, n))))
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
}
