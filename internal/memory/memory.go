// Package memory tells how much memory a process may plan with.
package memory

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
)

// Limit returns the bytes that one process can hope for: the memory of the machine where the system tells
// it (MemTotal of /proc/meminfo), and the Go memory limit where one is set; elsewhere the address space.
var Limit = sync.OnceValue(func() int {
	limit := math.MaxInt
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		if kb, ok := memTotal(b); ok && kb < math.MaxInt/1024 {
			limit = kb * 1024
		}
	}
	return int(min(int64(limit), debug.SetMemoryLimit(-1)))
})

func memTotal(meminfo []byte) (kb int, ok bool) {
	for sc := bufio.NewScanner(bytes.NewReader(meminfo)); sc.Scan(); {
		if f := bytes.Fields(sc.Bytes()); len(f) == 3 && string(f[0]) == "MemTotal:" {
			kb, err := strconv.Atoi(string(f[1]))
			return kb, err == nil
		}
	}
	return 0, false
}
