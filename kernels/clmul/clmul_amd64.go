//go:build amd64 && !purego

package clmul

import "github.com/galfft/fft/internal/cpu"

var sse = Set{Form: "PCLMULQDQ, SSE", Mul: mulCLMUL}

func active() *Set {
	if cpu.CLMUL() {
		return &sse
	}
	return &Generic
}
