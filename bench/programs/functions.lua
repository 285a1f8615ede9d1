-- SPDX-License-Identifier: BSD-2-Clause
-- Work for the functions of Lua itself: tables, strings, closures, coroutines, errors, its parser
-- and its collector. The same each time: nothing here depends on an address or on the clock.
local function words(text)
    local count = {}
    for word in text:gmatch("%a+") do
        word = word:lower()
        count[word] = (count[word] or 0) + 1
    end
    local keys = {}
    for key in pairs(count) do keys[#keys + 1] = key end
    table.sort(keys, function(a, b)
        return count[a] > count[b] or count[a] == count[b] and a < b
    end)
    return keys, count
end

local text = {}
for i = 1, 300 do
    text[#text + 1] = string.format("The %dth word is %s, of %q; %5.2f", i, ("ab"):rep(i % 7),
                                    "x" .. i, i / 3)
end
local keys = words(table.concat(text, " "))
print(#keys, keys[1])

local Shape = {}
Shape.__index = Shape
Shape.__add = function(a, b) return setmetatable({n = a.n + b.n}, Shape) end
Shape.__eq = function(a, b) return a.n == b.n end
Shape.__lt = function(a, b) return a.n < b.n end
Shape.__len = function(a) return a.n end
Shape.__concat = function(a, b) return tostring(a.n) .. tostring(b.n) end
local sum = setmetatable({n = 0}, Shape)
for i = 1, 500 do sum = sum + setmetatable({n = i}, Shape) end
print(sum.n, #sum, sum < sum, sum == setmetatable({n = 1}, Shape), sum .. sum)

local generator = coroutine.wrap(function()
    for i = 1, 200 do
        coroutine.yield(i, select("#", i, nil, nil))
    end
end)
local total = 0
for i in generator do total = total + i end
print(total)

for i = 1, 50 do
    local chunk = "local a, b, c = ... ; local t = {a, b; x = c, [a] = b}\n" ..
        "for k = 1, 3 do if t[k] then a = a + (t[k] << 1) ~ 5 elseif k > 2 then" ..
        " goto done end end\n" ..
        "::done:: while a > 100 do a = a // 2 - 1 end repeat b = b - 1 until b < 0\n" ..
        "local function f(n, ...) if n == 0 then return ... end return f(n - 1, n, ...) end\n" ..
        "return a % 7, -b, not c, #t, f(" .. i .. ")"
    local f = assert(load(chunk, "=chunk" .. i))
    f(i, 3, nil)
    assert(load(string.dump(f)))(i, 2, 1)
end
print(pcall(error, {code = 1}), select(2, pcall(function() local x = nil; return x.y end)))
print(select(2, xpcall(function() error("deep") end, function(m) return m .. "!" end)))

local weak = setmetatable({}, {__mode = "v"})
local closed = 0
for i = 1, 2000 do
    local x <close> = setmetatable({}, {__close = function() closed = closed + 1 end})
    weak[i] = {i}
    if i % 500 == 0 then collectgarbage(i % 1000 == 0 and "generational" or "incremental") end
end
collectgarbage()
print(closed, weak[1])
local t = {}
for i = 1, 400 do table.insert(t, (i * 7919) % 1000) end
table.sort(t)
for _ = 1, 200 do table.remove(t, 1) end
print(t[1], t[200], table.unpack(t, 1, 5), table.concat(table.move(t, 1, 9, 1, {}), ","))
print(("x"):rep(50, ","), ("hello world"):gsub("o", "0"), ("%d"):format(3),
      string.pack("i4z", 7, "abc"):byte(1, -1))
print(math.tointeger("8"), tonumber("0x1p4"), tonumber("zz", 36), 10 // 3,
      2 ^ 10, 7 % -3, 1e15, "10" + 5)
