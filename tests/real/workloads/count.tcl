# SPDX-License-Identifier: BSD-2-Clause
# 1973 calls of a procedure, and 7 events of Tcl's own command for probes.
proc fib n {
    if {$n < 2} {
        return $n
    }
    return [expr {[fib [expr {$n - 1}]] + [fib [expr {$n - 2}]]}]
}
puts [fib 15]
for {set i 0} {$i < 7} {incr i} {
    ::tcl::dtrace event $i
}
