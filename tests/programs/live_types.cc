// SPDX-License-Identifier: BSD-2-Clause
/*
 * live_types N: hits types:one and types:two N times each, with arguments of all types. What they
 * are follows from the number of the hit alone, so that two runs are the same.
 */
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <sdt/probe.h>
#include <string>
#include <string_view>

enum state : int8_t { BROKEN = -1, IDLE, BUSY, IN_USE };
enum class colour : uint16_t { red = 40000, green = 7 };
SDT_ENUM_NAMES(types, one, state, {BROKEN, "broken"}, {IDLE, "idle"}, {BUSY, "busy"},
               {IN_USE, "in use"}, {IDLE, "second"});
SDT_ENUM_NAMES(types, one, colour, {colour::red, "red"}, {colour::green, "green"});

static const std::string names[] = {"", "idle", "GET /index.html", std::string(300, 'x'), "\xff"};

static __attribute__((noinline)) void one(int i)
{
    const std::string &title = names[i % 5];
    std::string_view view = std::string_view(names[2]).substr(0, static_cast<size_t>(i % 17));
    if (i % 10 == 9)
        view = std::string_view();
    bool flag = i % 3 == 0;
    state state = static_cast<enum state>(i % 6 - 1);
    colour colour = i % 2 ? colour::red : static_cast<enum colour>(i % 8 + 1);
    std::chrono::milliseconds wait(i * 10 - 50);
    float ratio = static_cast<float>(i) / 8;
    double exact = 0.7 * i;
    const char *maybe = i % 4 == 0   ? nullptr
                        : i % 4 == 1 ? reinterpret_cast<const char *>(70000)
                                     : "there";
    SDT_PROBE(types, one, title, view, flag, state, colour, wait, ratio, exact, SDT_STR(maybe));
}

static __attribute__((noinline)) void two(int i)
{
    const char *text = "a text\0with a NUL", *bytes = "\x01\0\x7f\xff";
    int16_t sizes[4] = {static_cast<int16_t>(i - 9), -1, 300, static_cast<int16_t>(i)};
    float parts[2] = {static_cast<float>(i) / 4, -0.5f};
    const int16_t *from = i % 11 == 10 ? reinterpret_cast<const int16_t *>(70000) : sizes;
    SDT_PROBE(types, two, SDT_TEXT(text, i % 13), SDT_BYTES(bytes, i % 5),
              SDT_ARRAY(from, i % 5 > 4 ? 4 : i % 5), SDT_ARRAY(parts, i % 3));
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 60;
    for (int i = 0; i < n; i++) {
        one(i);
        two(i);
    }
    return 0;
}
