-- SPDX-License-Identifier: BSD-2-Clause
-- A little of everything that Lua has, for test_real_machines.py: some ten thousand function calls.
local pieces = {}
for i = 1, 12 do pieces[i] = ("%d:%q:%5.2f"):format(i, "x" .. i, i / 3) end
print((table.concat(pieces, ","):gsub("%d", "")))

local Shape = {}
Shape.__index = Shape
Shape.__add = function(a, b) return setmetatable({n = a.n + b.n}, Shape) end
Shape.__lt = function(a, b) return a.n < b.n end
Shape.__concat = function(a, b) return tostring(a.n) .. tostring(b.n) end
local sum = setmetatable({n = 0}, Shape)
for i = 1, 10 do sum = sum + setmetatable({n = i}, Shape) end
print(sum.n, sum < sum, sum .. sum)

local total = 0
local function numbers() for i = 1, 10 do coroutine.yield(i) end end
for i in coroutine.wrap(numbers) do total = total + i end
print(total)

local chunk = assert(load([[
    local a, b, c = ...
    local t = {a, b; x = c, [a] = b}
    for k = 1, 3 do
        if t[k] then a = a + (t[k] << 1) ~ 5 elseif k > 2 then goto done end
    end
    ::done::
    repeat b = b - 1 until b < 0
    local function f(n, ...) if n == 0 then return ... end return f(n - 1, n, ...) end
    return a % 7, -b, not c, #t, f(3)]]))
print(chunk(2, 3, nil))
print(assert(load(string.dump(chunk)))(4, 2, 1))

-- Errors leave many functions at once, by longjmp().
for i = 1, 30 do assert(not pcall(error, i)) end
print(select(2, pcall(function() local x = nil; return x.y end)))
print(select(2, xpcall(function() error("deep") end, function(m) return m .. "!" end)))
print(coroutine.resume(coroutine.create(function() error("in a coroutine") end)))
print(pcall(string.rep), pcall(table.sort, {3, 1, "a"}))

local closed = 0
for i = 1, 20 do
    local x <close> = setmetatable({}, {__close = function() closed = closed + 1 end})
end
collectgarbage()
collectgarbage("generational")
print(closed)
local t = {}
for i = 1, 40 do table.insert(t, (i * 7919) % 1000) end
table.sort(t)
for _ = 1, 20 do table.remove(t, 1) end
print(t[1], table.unpack(t, 1, 5))
print(tonumber("0x1p4"), tonumber("zz", 36), 10 // 3, 2 ^ 10, 7 % -3, 1e15, "10" + 5)
