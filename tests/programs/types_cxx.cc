/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of C++ as arguments: text, durations, enumerations. With an argument: print the hits. */
#include <sdt/probe.h>
#include <sdt/runtime.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <ratio>
#include <string>
#include <string_view>

enum class color : unsigned char { red, green = 200 };
enum class depth : long { low = -5 };
enum plain { FEW = 3 };

/* Neither copied nor moved; and <string> is not needed for it. */
struct label {
    explicit label(const char *name) : text(name) {}
    label(const label &) = delete;
    const char *c_str() const
    {
        return text;
    }
    const char *text;
};

static int evaluated;
static std::string_view once(std::string_view text)
{
    evaluated++;
    return text;
}

using deciseconds = std::chrono::duration<int, std::deci>;

__attribute__((noinline)) void pass(const std::string &path, std::string_view &view, color hue)
{
    using namespace std::chrono;
    milliseconds wait(250);
    SDT_PROBE(types, texts, path, view, std::string("made ") + path, view.substr(2), label("own"),
              std::filesystem::path("/tmp"));
    SDT_PROBE(types, parts, once(view.substr(0, 3)), std::string_view(), std::string(),
              std::string_view("a\0b", 3), "literal");
    SDT_PROBE(types, times, wait, nanoseconds(-7), microseconds(1L << 62), seconds(9), minutes(3),
              duration<double>(1.5), deciseconds(-4), system_clock::duration(11), duration<int>(5));
    SDT_PROBE(types, enums, hue, depth::low, FEW, std::byte(255));
}

static void show(const sdt_event *event, unsigned i)
{
    const char *type = sdt_arg_type(event, i);
    uint64_t word = sdt_arg(event, i);
    if (!std::strcmp(type, "string_view")) {
        const sdt_text *text = reinterpret_cast<const sdt_text *>(word);
        std::printf("%zu:%.*s", text->length, static_cast<int>(text->length), text->text);
    } else if (!std::strcmp(type, "string")) {
        std::printf("%s", reinterpret_cast<const char *>(word));
    } else {
        std::printf("%.1f", sdt_arg_double(event, i));
    }
}

static void on_hit(const sdt_event *event, void *)
{
    std::printf("%s", sdt_name(event));
    for (unsigned i = 0; i < sdt_nargs(event); i++) {
        std::printf("|%s:%s=", sdt_arg_name(event, i), sdt_arg_type(event, i));
        show(event, i);
    }
    std::printf("\n");
}

int main(int argc, char **)
{
    int id = argc > 1 ? sdt_enable("types", on_hit, nullptr) : 1;
    std::string_view view = "a view of more";
    pass("/var/lib/a long path", view = view.substr(0, 6), color::green);
    return id > 0 && evaluated == 1 ? 0 : 1;
}
