// Package memory tells how much memory a process may plan with.
package memory

import (
	"math"
	"runtime/debug"
	"sync"
)

// Unknown is what Limit assumes of a machine whose system is not asked, or gives no answer: 4 GiB.
const Unknown = 1 << 32

// Limit returns the bytes that one process can hope for: the least of the memory of the machine, that of the process'
// control groups (Linux), and the Go memory limit where one is set (GOMEMLIMIT, debug.SetMemoryLimit).
func Limit() int { return int(min(machine(), uint64(debug.SetMemoryLimit(-1)), math.MaxInt)) }

// machine is the limit of the system, which is asked once.
var machine = sync.OnceValue(func() uint64 {
	if limit, ok := system(); ok {
		return limit
	}
	return Unknown
})
