// Package driver is the part of NVIDIA's CUDA driver that package gpu needs, loaded at run time: nothing of CUDA is
// needed to compile, and a machine without it gets ErrUnavailable.
//
// Every method may be called from any goroutine. The driver knows contexts by OS thread; each call makes its device's
// context the current one of its thread and then lets the one before be it again, so that goroutines, devices and other
// CUDA code of the process mix freely. Work on a stream is asynchronous: its
// order is the stream's, its errors arrive with a later call, and the caller keeps what it reads and writes until the
// stream has been waited for. Close, Release and ReleasePinned end what they name; no other call may use it then or at
// the same time. A second Close does nothing, as does that of nil; other methods of nil panic.
package driver

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// Variable is the environment variable that names another file in place of libcuda.so.1: the emulated driver of
// kernels/cuda/emulate, in tests.
const Variable = "GALFFT_CUDA_DRIVER"

const standard = "libcuda.so.1"

// function is one of the driver's functions.
type function int

const (
	cuInit function = iota
	cuDriverGetVersion
	cuGetErrorName
	cuGetErrorString
	cuDeviceGetCount
	cuDeviceGet
	cuDeviceGetName
	cuDeviceGetAttribute
	cuDeviceTotalMem
	cuDevicePrimaryCtxRetain
	cuDevicePrimaryCtxRelease
	cuCtxPushCurrent
	cuCtxPopCurrent
	cuMemGetInfo
	cuMemAlloc
	cuMemFree
	cuMemHostAlloc
	cuMemFreeHost
	cuMemcpyHtoDAsync
	cuMemcpyDtoHAsync
	cuMemcpyDtoDAsync
	cuMemsetD8Async
	cuStreamCreate
	cuStreamCreateWithPriority
	cuStreamDestroy
	cuStreamSynchronize
	cuStreamWaitEvent
	cuStreamGetCtx
	cuPointerGetAttribute
	cuMemGetAddressRange
	cuEventCreate
	cuEventDestroy
	cuEventRecord
	cuEventQuery
	cuEventSynchronize
	cuEventElapsedTime
	cuModuleLoadDataEx
	cuModuleUnload
	cuModuleGetFunction
	cuLinkCreate
	cuLinkAddData
	cuLinkComplete
	cuLinkDestroy
	cuFuncGetAttribute
	cuFuncSetAttribute
	cuOccupancyMaxActiveBlocksPerMultiprocessor
	cuLaunchKernel
	cuStreamBeginCapture
	cuStreamEndCapture
	cuGraphInstantiateWithFlags
	cuGraphDestroy
	cuGraphExecDestroy
	cuGraphLaunch
	cuStreamIsCapturing
	cuThreadExchangeStreamCaptureMode
	cuMemAllocAsync
	cuMemFreeAsync
	cuDeviceGetDefaultMemPool
	cuDeviceCanAccessPeer
	cuMemPoolSetAccess
	cuStreamWriteValue
	functions

	optional = cuStreamBeginCapture // the first of those that a driver may lack: see Library.Graphs
	pools    = cuMemAllocAsync      // the first of those for Device.Pools
	writing  = cuStreamWriteValue   // the one behind them, for Event.Poll
)

// symbols are the names in the library. A suffix is the version of the arguments; the name without it is an older one,
// which the headers of the toolkit hide.
var symbols = [functions]string{
	cuInit:                      "cuInit",
	cuDriverGetVersion:          "cuDriverGetVersion",
	cuGetErrorName:              "cuGetErrorName",
	cuGetErrorString:            "cuGetErrorString",
	cuDeviceGetCount:            "cuDeviceGetCount",
	cuDeviceGet:                 "cuDeviceGet",
	cuDeviceGetName:             "cuDeviceGetName",
	cuDeviceGetAttribute:        "cuDeviceGetAttribute",
	cuDeviceTotalMem:            "cuDeviceTotalMem_v2",
	cuDevicePrimaryCtxRetain:    "cuDevicePrimaryCtxRetain",
	cuDevicePrimaryCtxRelease:   "cuDevicePrimaryCtxRelease_v2",
	cuCtxPushCurrent:            "cuCtxPushCurrent_v2",
	cuCtxPopCurrent:             "cuCtxPopCurrent_v2",
	cuMemGetInfo:                "cuMemGetInfo_v2",
	cuMemAlloc:                  "cuMemAlloc_v2",
	cuMemFree:                   "cuMemFree_v2",
	cuMemHostAlloc:              "cuMemHostAlloc",
	cuMemFreeHost:               "cuMemFreeHost",
	cuMemcpyHtoDAsync:           "cuMemcpyHtoDAsync_v2",
	cuMemcpyDtoHAsync:           "cuMemcpyDtoHAsync_v2",
	cuMemcpyDtoDAsync:           "cuMemcpyDtoDAsync_v2",
	cuMemsetD8Async:             "cuMemsetD8Async",
	cuStreamCreate:              "cuStreamCreate",
	cuStreamCreateWithPriority:  "cuStreamCreateWithPriority",
	cuStreamDestroy:             "cuStreamDestroy_v2",
	cuStreamSynchronize:         "cuStreamSynchronize",
	cuStreamWaitEvent:           "cuStreamWaitEvent",
	cuStreamBeginCapture:        "cuStreamBeginCapture_v2",
	cuStreamEndCapture:          "cuStreamEndCapture",
	cuEventCreate:               "cuEventCreate",
	cuEventDestroy:              "cuEventDestroy_v2",
	cuEventRecord:               "cuEventRecord",
	cuEventQuery:                "cuEventQuery",
	cuEventSynchronize:          "cuEventSynchronize",
	cuEventElapsedTime:          "cuEventElapsedTime",
	cuModuleLoadDataEx:          "cuModuleLoadDataEx",
	cuModuleUnload:              "cuModuleUnload",
	cuModuleGetFunction:         "cuModuleGetFunction",
	cuLinkCreate:                "cuLinkCreate_v2",
	cuLinkAddData:               "cuLinkAddData_v2",
	cuLinkComplete:              "cuLinkComplete",
	cuLinkDestroy:               "cuLinkDestroy",
	cuFuncGetAttribute:          "cuFuncGetAttribute",
	cuFuncSetAttribute:          "cuFuncSetAttribute",
	cuLaunchKernel:              "cuLaunchKernel",
	cuGraphInstantiateWithFlags: "cuGraphInstantiateWithFlags",
	cuGraphDestroy:              "cuGraphDestroy",
	cuGraphExecDestroy:          "cuGraphExecDestroy",
	cuGraphLaunch:               "cuGraphLaunch",
	cuStreamGetCtx:              "cuStreamGetCtx",
	cuStreamIsCapturing:         "cuStreamIsCapturing",
	cuPointerGetAttribute:       "cuPointerGetAttribute",
	cuMemGetAddressRange:        "cuMemGetAddressRange_v2",

	cuThreadExchangeStreamCaptureMode: "cuThreadExchangeStreamCaptureMode",

	cuMemAllocAsync:           "cuMemAllocAsync",
	cuMemFreeAsync:            "cuMemFreeAsync",
	cuDeviceGetDefaultMemPool: "cuDeviceGetDefaultMemPool",
	cuDeviceCanAccessPeer:     "cuDeviceCanAccessPeer",
	cuMemPoolSetAccess:        "cuMemPoolSetAccess",
	cuStreamWriteValue:        "cuStreamWriteValue32_v2",

	cuOccupancyMaxActiveBlocksPerMultiprocessor: "cuOccupancyMaxActiveBlocksPerMultiprocessor",
}

// Library is the driver, loaded and initialized.
type Library struct {
	address [functions]uintptr
	version int // 1000 times the major one, and 10 times the minor one

	mu   sync.Mutex
	free *frame
}

var once = sync.OnceValues(func() (*Library, error) { return open(os.Getenv(Variable), &symbols) })

// Open loads the driver, once for the process: later calls return what the first did. The library is libcuda.so.1, as
// the system finds it, or the file that Variable names. An error is ErrUnavailable and says what is missing: the
// library, a function of it, or a device.
func Open() (*Library, error) { return once() }

// open loads a library by the names of its functions.
func open(name string, symbols *[functions]string) (*Library, error) {
	if name == "" {
		name = standard
	}
	l := &Library{}
	if err := load(name, symbols, &l.address); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := l.call(cuInit, 0); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	var version int32
	if err := l.ask(cuDriverGetVersion, uintptr(unsafe.Pointer(&version))); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	l.version = int(version)
	return l, nil
}

// Graphs reports whether the driver has graphs as they are used here, which CUDA 11.4 brought.
func (l *Library) Graphs() bool { return !slices.Contains(l.address[optional:pools], 0) }

// Version is the highest version of CUDA that the driver serves, such as "13.0".
func (l *Library) Version() string { return fmt.Sprintf("%d.%d", l.version/1000, l.version%1000/10) }

// Count is the number of devices.
func (l *Library) Count() (int, error) {
	var n int32
	err := l.ask(cuDeviceGetCount, uintptr(unsafe.Pointer(&n)))
	return int(n), err
}

// frame holds the arguments of one call. Frames are on the heap, where nothing moves, and are used again and again:
// purego's SyscallN lets its variadic slice escape, which is an allocation for each call of it, and a kernel's
// arguments are reached by pointers to pointers. One launch by way of a frame allocates nothing; SyscallN with
// arguments in the call makes one allocation of 96 bytes, and a function of RegisterFunc twelve, of 352 bytes, and
// takes 0.67 µs in place of 0.12 (2.1 GHz, linux/amd64, purego v0.11.3).
type frame struct {
	args   [12]uintptr
	popped uintptr // a context
	out    uint64  // what a function answers with
	values Args
	params [len(Args{})]unsafe.Pointer // to the values
	pinner runtime.Pinner              // of the frame: the driver follows params
	next   *frame
}

func (l *Library) take() *frame {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.free
	if f != nil {
		l.free = f.next
		return f
	}
	f = &frame{}
	f.pinner.Pin(f)
	for i := range f.params {
		f.params[i] = unsafe.Pointer(&f.values[i])
	}
	return f
}

func (l *Library) give(f *frame) {
	l.mu.Lock()
	f.next, l.free = l.free, f
	l.mu.Unlock()
}

// call calls a function with numbers, and with pointers to what does not move and stays alive. It allocates nothing.
func (l *Library) call(f function, args ...uintptr) error {
	frame := l.take()
	defer l.give(frame)
	return l.by(frame, f, args...)
}

// by is call by way of a frame that the caller has.
func (l *Library) by(frame *frame, f function, args ...uintptr) error {
	n := copy(frame.args[:], args)
	switch code := invoke(l.address[f], frame.args[:n]); code {
	case 0:
		return nil
	case notReady:
		return errNotReady
	default:
		return l.failed(f, code)
	}
}

// ask is call for pointers to variables, which are converted in the call itself: they go to the heap and live until it
// returns.
//
//go:uintptrescapes
func (l *Library) ask(f function, args ...uintptr) error { return l.call(f, args...) }

// narrow is n as an argument of 32 bits. What is negative or needs more becomes 2^32 − 1, which every function refuses.
func narrow(n int) uintptr {
	if n < 0 || n > math.MaxInt32 {
		return math.MaxUint32
	}
	return uintptr(n)
}
