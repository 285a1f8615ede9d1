/* SPDX-License-Identifier: BSD-2-Clause */
/* LLVM's optimiser and its code generator for x86, as a program: something real to link. */
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    LLVMMemoryBufferRef text;
    LLVMModuleRef module;
    LLVMTargetRef target;
    char *message = NULL;
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    if (argc != 3 || LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &text, &message) ||
        LLVMParseIRInContext(LLVMGetGlobalContext(), text, &module, &message) ||
        LLVMGetTargetFromTriple(LLVMGetDefaultTargetTriple(), &target, &message)) {
        fprintf(stderr, "%s\n", message ? message : "usage: compile_ir IN.ll OUT.o");
        return 1;
    }
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(target, LLVMGetDefaultTargetTriple(), "generic", "",
                                LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMRunPasses(module, "default<O2>", machine, options);
    return LLVMTargetMachineEmitToFile(machine, module, argv[2], LLVMObjectFile, &message);
}
