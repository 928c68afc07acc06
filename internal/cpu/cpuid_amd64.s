//go:build amd64 && !purego

#include "textflag.h"

// func leaf7() (ecx uint32)
TEXT ·leaf7(SB), NOSPLIT, $0-4
	MOVL $7, AX
	XORL CX, CX
	CPUID
	MOVL CX, ecx+0(FP)
	RET
