# SPDX-License-Identifier: BSD-2-Clause
"""Which tests each file's mutants meet: the quick ones that most of them fail first.

A group is (programs of tests/unit, file of tests/, -k expression); the first group that fails ends
a mutant. What is not here gets the groups of its directory.
"""
RUNTIME = (
    ("test_registry test_pattern test_args test_semaphore test_patch", "", ""),
    ("", "test_runtime_sites.py", "contract_of or (arguments_of_all and not gdb) or "
     "(what_handlers_may_do and call6)"),
)
COMES_AND_GOES = ("", "test_runtime_process.py", "come_and_go and not shared")
STORMS = ("", "test_runtime_process.py", "toggled_by_several and (load or signals) and "
          "(trap-inline or jump-call6)")
UNUSUAL = ("", "test_runtime_sites.py", "constructors or fail or fork_and_vfork and call6 or "
           "cancelled and inline or threads_that_end")
REFUSED = ("", "test_runtime_process.py", "lie or runtime_of_another or one_runtime or "
           "environment_ena or environment_rep or kill_switch or "
           "(forbids and inline) or without_membarrier")
INLINE = ("", "test_runtime_jump.py", "not race and not everything")
SEMAPHORES = ("", "test_nop1.py", "semaphores")
COMPANION = ("", "test_runtime_process.py", "companion")

TOOL = (
    ("test_names test_forms test_needles test_plain", "", ""),
    ("", "test_command_line.py", ""),
    ("", "test_forms.py", "records_of_every or relocations_of_every or "
     "(bytes_of_every and bfd and (inline or jcc or tail6))"),
    ("", "test_rewrite.py", "three_rules or test_symbols or well_formed or arguments_from or "
     "four_part or function_names or aliases or untouched or untyped"),
)
REFUSALS = ("", "test_refusals.py", "not signal and not mutations and not tmpfs")
OBJECTS = ("", "test_objects.py", "stale or profile or group_sig or group_with or somebody or "
           "hand_written and bfd or executable")
NOTES = ("", "test_notes.py", "an_object or others_read or twice or without or number or "
         "companion or landmarks or (semaphore and bfd) or (goes_with and bfd) or "
         "(linked_file and (bfd or gold and gc))")
NOP1 = ("", "test_nop1.py", "cannot_be or spelled or passed_over or ignored or as_before or "
        "partial_links or comdat")
HOSTILE = ("", "test_hostile.py", "")
INLINE_SITES = ("", "test_inline.py", "refus or forgotten or pointee or "
                "(each_operand and O2 and not PIC and not medium)")
FINALIZE = ("", "test_finalize.py", "(survives or copies or all_of or sys_sdt or nobodys) and mold "
            "or not_ours or not_as_recorded or files_that or write_that or wrong or help or lies "
            "or program_that or very_end or padding or name_is")
SET = ("", "test_rewrite.py", "second_partial or icf or static_functions or custom or taken or "
       "16_bits_can or shared_library or (exact and bfd and gcc)")
BOUNDS = ("", "test_launcher_place.py", "bound")
PLACES = ("", "test_launcher.py", "garbage or collect or dead")

VARIABLES = ("", "test_nop1.py", "merged or spelled or opened")
COMPANIONS = ("", "test_companion_tool.py", "")
SEMAPHORE_FILES = ("", "test_semaphores.py", "whatever and (bfd or mold)")

ADDRESSES = ("", "test_rewrite.py", "taken")

NO_MEMORY = ("", "test_runtime_sites.py", "allocations")

RECORDS = ("", "test_record.py", "every_hit or (handlers and full) or more_threads")
ENDS = ("", "test_record_full.py", "lost_is_counted or flight or directories or options or limit")
TEXTS = ("", "test_record_texts.py", "length")
SNAPSHOTS = ("", "test_record_snapshot.py", "mean or refused or child")
LIVES = ("", "test_record_process.py", "not many_programs")
REPORTS = ("", "test_sdt_report.py", "")
DAMAGE = ("", "test_sdt_damage.py", "not nonsense")
EXPORTS = ("", "test_sdt_export.py", "")
FOLLOWERS = ("", "test_live_follow.py", "left or hear or record or script or name")
CHOICES = ("", "test_live_choose.py", "wrong or refused or snapshot or some_hits")
SCREENS = ("", "test_live_top.py", "children or keys or script")
COMMANDS = ("", "test_record_command.py", "status or wrong or directories or nothing or which")
STOCK = (("test_stock", "", ""), ("", "test_live_stock.py", "not tools_that and not bpftrace"))
RECORDER = (("test_ring test_fields test_copy", "", ""), RECORDS, TEXTS, ENDS, LIVES)

TESTS = {
    "runtime/site/site.c": (*RUNTIME, SEMAPHORES, COMES_AND_GOES, UNUSUAL),
    "runtime/registry/registry.c": (*RUNTIME, SEMAPHORES, COMES_AND_GOES, REFUSED, UNUSUAL, STORMS),
    "runtime/registry/index.c": (*RUNTIME, SEMAPHORES, COMES_AND_GOES, REFUSED, UNUSUAL, STORMS),
    "runtime/": RUNTIME + (COMES_AND_GOES, REFUSED, UNUSUAL, STORMS),
    "runtime/shared/pattern.c": (*RUNTIME, REFUSED, COMES_AND_GOES, NO_MEMORY),
    "runtime/patch/patch.c": (*RUNTIME, REFUSED, COMES_AND_GOES, INLINE, UNUSUAL, STORMS),
    "runtime/subscribe/subscription.c":
        (*RUNTIME, COMES_AND_GOES, REFUSED, UNUSUAL, STORMS, SEMAPHORES),
    "runtime/registry/semaphore.c": (*RUNTIME, SEMAPHORES, STORMS),
    "runtime/patch/companion.c": (*RUNTIME, COMPANION, REFUSED),
    "runtime/recorder/": RECORDER,
    "runtime/ring/": RECORDER,
    "runtime/stock/": STOCK,
    "runtime/ring/condition.c": (SNAPSHOTS,),
    "runtime/recorder/snapshot.c": (SNAPSHOTS,),
    "runtime/recorder/record_options.c": (ENDS,),
    "sdt/": (REPORTS, DAMAGE, EXPORTS, COMMANDS),
    "sdt/expression/expression.c": (REPORTS,),
    "runtime/shared/grammar.c": (REPORTS, SNAPSHOTS),
    "runtime/shared/operators.c": (REPORTS, SNAPSHOTS),
    "sdt/record/record.c": (COMMANDS, ENDS),
    "sdt/record/output.c": (COMMANDS, ENDS),
    "sdt/record/process.c": (CHOICES, FOLLOWERS),
    "sdt/record/options.c": (COMMANDS, ENDS, CHOICES, FOLLOWERS),
    "sdt/record/trace_directory.c": (CHOICES, FOLLOWERS),
    "sdt/record/when.c": (CHOICES,),
    "sdt/record/when_ask.c": (CHOICES, FOLLOWERS),
    "sdt/top/follow.c": (SCREENS,),
    "sdt/enable.c": (FOLLOWERS,),
    "sdt/record/watch.c": (COMMANDS, ENDS, CHOICES, FOLLOWERS),
    "runtime/control/wanted.c": (FOLLOWERS,),
    "runtime/control/session.c": (FOLLOWERS, CHOICES),
    "base/": (*TOOL, REFUSALS, NOTES, NOP1, OBJECTS),
    "sdtlink/": (*TOOL, REFUSALS, NOTES, NOP1, OBJECTS),
    "sdtlink/probes/args.c": (*TOOL, REFUSALS, INLINE_SITES, NOP1, NOTES),
    "sdtlink/arch/": (*TOOL, REFUSALS, NOTES, NOP1, COMPANIONS, FINALIZE),
    "sdtlink/arch/x86_64/operand.c": (*TOOL, INLINE_SITES, NOP1),
    "sdtlink/arch/x86_64/use.c": (*TOOL, ADDRESSES, REFUSALS, INLINE_SITES),
    "sdtlink/probes/names.c": (*TOOL, REFUSALS, NOTES),
    "sdtlink/rewrite/notes.c": (*TOOL, NOTES, NOP1, SEMAPHORE_FILES),
    "sdtlink/rewrite/plan.c": (*TOOL, NOTES, NOP1),
    "sdtlink/rewrite/plan_print.c": (*TOOL, NOTES, NOP1),
    "sdtlink/rewrite/set.c": (*TOOL, NOTES, OBJECTS, SET, VARIABLES, COMPANIONS, SEMAPHORE_FILES),
    "sdtlink/rewrite/set_build.c": (*TOOL, NOTES, OBJECTS, SET, VARIABLES, COMPANIONS,
                                    SEMAPHORE_FILES),
    "sdtlink/elf/overlap.c": (*TOOL, REFUSALS, HOSTILE),
    "sdtlink/probes/sites.c": (*TOOL, REFUSALS, NOP1, OBJECTS),
    "sdtlink/probes/reference.c": (*TOOL, ADDRESSES, REFUSALS, INLINE_SITES),
    "sdtlink/rewrite/bounds.c": (BOUNDS, FINALIZE, PLACES),
    "sdtlink/finalize/": (FINALIZE,),
}


def groups(path):
    """Those of the file, or of the innermost directory that is there."""
    parts = path.split("/")
    directories = ["/".join(parts[:n]) + "/" for n in range(len(parts) - 1, 0, -1)]
    return next((TESTS[name] for name in [path, *directories] if name in TESTS), ())
