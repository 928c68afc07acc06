// Package foreign is CUDA code of the process that knows nothing of ours, for tests: the driver's own functions, with a
// context, a stream, memory and graphs made by them.
package foreign

import (
	"testing"
	"unsafe"
)

// Function is one of the driver's, by the name in the library. Calls of it fail the test where it does.
func Function(t testing.TB, name string) func(args ...uintptr) {
	call := find(t, name)
	return func(args ...uintptr) {
		t.Helper()
		if code := call(args); code != 0 {
			t.Fatalf("%s: error %d", name, code)
		}
	}
}

// words are on the heap, where the driver may write; its answers are there until the next one.
var words = new([2]uintptr)

// Ask calls a function whose first argument is the address of its answer.
func Ask(t testing.TB, name string, args ...uintptr) uintptr {
	t.Helper()
	words[0] = 0
	Function(t, name)(append([]uintptr{uintptr(unsafe.Pointer(&words[0]))}, args...)...)
	return words[0]
}

// Use makes the primary context of a device current on the calling thread, which stays locked, until the test ends.
func Use(t testing.TB, device int) (context uintptr) {
	t.Helper()
	context = Ask(t, "cuDevicePrimaryCtxRetain", uintptr(device))
	Function(t, "cuCtxSetCurrent")(context)
	t.Cleanup(func() {
		Function(t, "cuCtxSetCurrent")(0)
		Function(t, "cuDevicePrimaryCtxRelease_v2")(uintptr(device))
	})
	return context
}

// Stream makes one that runs beside others.
func Stream(t testing.TB) uintptr {
	const nonBlocking = 1
	return Ask(t, "cuStreamCreate", nonBlocking)
}

// Captured is the graph of what do puts on a stream, ready for launches. No thread may do what a capture forbids.
func Captured(t testing.TB, stream uintptr, do func()) (graph uintptr) {
	const global = 0
	Function(t, "cuStreamBeginCapture_v2")(stream, global)
	do()
	words[1] = 0
	Function(t, "cuStreamEndCapture")(stream, uintptr(unsafe.Pointer(&words[1])))
	recorded := words[1]
	graph = Ask(t, "cuGraphInstantiateWithFlags", recorded, 0)
	Function(t, "cuGraphDestroy")(recorded)
	return graph
}
