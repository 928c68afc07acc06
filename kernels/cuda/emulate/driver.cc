// The functions of libcuda.so.1 that package gpu uses, over the host's memory. Work runs at once, in the thread that
// asks for it, or, with EMULATE_DELAY, when somebody waits for it, and in each stream in order; always under one lock. A
// graph is a list of what to do again. What a device would find out in the middle of work is reported by the calls after
// it, as there. README.md has the variables.
#include "../prelude.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <set>
#include <string>
#include <sys/mman.h>
#include <time.h>

typedef int Result;
typedef unsigned long word;
typedef u64 Pointer;

namespace {
enum : Result {
	ok = 0,
	invalid_value = 1,
	out_of_memory = 2,
	not_initialized = 3,
	no_device = 100,
	invalid_device = 101,
	invalid_image = 200,
	invalid_context = 201,
	invalid_ptx = 218,
	unsupported_ptx_version = 222,
	invalid_handle = 400,
	not_found = 500,
	not_ready = 600,
	illegal_address = 700,
	context_is_destroyed = 709,
	launch_failed = 719,
	capture_unsupported = 900,
	capture_invalidated = 901,
	capture_isolation = 905,
	capture_wrong_thread = 908,
};

// Code is what the driver has to say about a result.
struct Code {
	Result code;
	const char *name, *text;
	bool sticky; // nothing works in the context after it
};
const Code codes[] = {
	{ok, "CUDA_SUCCESS", "no error", false},
	{invalid_value, "CUDA_ERROR_INVALID_VALUE", "invalid argument", false},
	{out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory", false},
	{not_initialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error", false},
	{no_device, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected", false},
	{invalid_device, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal", false},
	{invalid_image, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid", false},
	{invalid_context, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context", false},
	{214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered", true},
	{invalid_ptx, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed", false},
	{220, "CUDA_ERROR_NVLINK_UNCORRECTABLE", "uncorrectable NVLink error detected during the execution", true},
	{unsupported_ptx_version, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
	 "the provided PTX was compiled with an unsupported toolchain.", false},
	{invalid_handle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle", false},
	{46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable", false},
	{not_found, "CUDA_ERROR_NOT_FOUND", "named symbol not found", false},
	{not_ready, "CUDA_ERROR_NOT_READY", "device not ready", false},
	{illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered", true},
	{702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated", true},
	{context_is_destroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed", false},
	{710, "CUDA_ERROR_ASSERT", "device-side assert triggered", true},
	{714, "CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error", true},
	{715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered", true},
	{716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address", true},
	{717, "CUDA_ERROR_INVALID_ADDRESS_SPACE", "operation not supported on global/shared address space", true},
	{718, "CUDA_ERROR_INVALID_PC", "invalid program counter", true},
	{launch_failed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure", true},
	{capture_unsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
	 "operation not permitted when stream is capturing", false},
	{capture_invalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
	 "operation failed due to a previous error during capture", false},
	{capture_isolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
	 "dependency created on uncaptured work in another stream", false},
	{capture_wrong_thread, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
	 "attempt to terminate a thread-local capture sequence from another thread", false},
	{999, "CUDA_ERROR_UNKNOWN", "unknown error", true},
};

const Code *find(Result code) {
	for (const Code &c : codes)
		if (c.code == code)
			return &c;
	return nullptr;
}

const u32 most_threads = 1024, most_y = 65535;
const word default_shared = 48 << 10;
const u32 major = 9, minor = 0;
const double newest_ptx = 9.0;

std::recursive_mutex lock;
bool initialized;
std::string reason; // of the last loss, for cuGetErrorString

word number(const char *variable, word otherwise) {
	const char *v = getenv(variable);
	return v == nullptr || *v == 0 ? otherwise : strtoul(v, nullptr, 0);
}
word devices() { return number("EMULATE_DEVICES", 1); }
word memory_limit() { return number("EMULATE_MEMORY", 1ul << 30); }
word most_shared() { return number("EMULATE_SHARED", 232448); }

// Context is one device. It is the primary context, and there is no other.
struct Context {
	int device;
	int users;
	Result lost;
};
std::map<int, Context> contexts; // never erased: threads keep pointers
thread_local Context *current;               // the top of the thread's stack
thread_local std::vector<Context *> beneath; // the rest of it

// Allocation is pages without access, a guard, the bytes, a guard, pages without access.
struct Allocation {
	Context *context; // nullptr for memory of the host
	Context *maker;   // that was current
	word bytes;
	unsigned char *map;
	word mapped;
};
std::map<Pointer, Allocation> allocations;
const word page = 4096, guard = 64;
const unsigned char poison = 0xa5, guarded = 0xc3; // what new memory and guards hold

typedef std::function<Result()> Work;

double now() {
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// delay is how long a device takes for a piece of work, in seconds. Where it is 0, work runs at once.
double delay() { return 1e-6 * (double)number("EMULATE_DELAY", 0); }

// Due is when a device would be through with some work: so many pieces after a time. The delay may change meanwhile.
struct Due {
	double from;
	word pieces;
	double at() const { return from + (double)pieces * delay(); }
};
Due later(Due a, Due b) { return a.at() < b.at() ? b : a; }

// Queue is the work of a stream that has not run, which begins with piece number ran.
struct Queue {
	Context *context;
	std::deque<Work> pieces;
	word ran;
	Due due; // the last piece that came
};

struct Graph {
	Context *context;
	std::vector<Work> work;
	pthread_t thread; // that records it
	bool invalid;
	int mode;
};

struct Stream {
	Context *context;
	Graph *recording;
	bool origin; // the capture began here
	std::shared_ptr<Queue> queue;
};

struct Event {
	Context *context;
	bool timed;
	Graph *recorded; // in a capture that is still under way
	bool placed;     // behind so many pieces of a queue, whose end is at that time
	std::shared_ptr<Queue> queue;
	word place;
	Due due;
};

struct Function {
	Context *context;
	const emulate::Kernel *kernel;
	std::string name;
	u32 most_threads;
	word shared;
};

struct Module {
	Context *context;
	std::map<std::string, std::unique_ptr<Function>> functions;
};

struct Linker {
	std::string text;
};

// Live is the objects of a kind that were made and not destroyed.
template <class T> struct Live {
	std::set<T *> all;
	T *add(T *t) {
		all.insert(t);
		return t;
	}
	bool has(void *t) const { return all.count((T *)t) != 0; }
	void remove(T *t) {
		all.erase(t);
		delete t;
	}
	void remove_of(Context *c) {
		for (auto i = all.begin(); i != all.end();) {
			T *t = *i++;
			if (t->context == c)
				remove(t);
		}
	}
};
Live<Stream> streams;
Live<Event> events;
Live<Module> modules;
Live<Linker> linkers;
Live<Graph> graphs; // and what was instantiated of them

std::map<std::string, emulate::Kernel> &kernels() {
	static std::map<std::string, emulate::Kernel> all;
	return all;
}

Result lose(Context *c, Result code, const std::string &why) {
	if (c->lost == ok) {
		c->lost = code;
		reason = why;
	}
	return code;
}

// injected is the code that EMULATE_FAIL wants of this call: "cuMemAlloc:2:700" makes the second one fail. Calls are
// counted from when the variable was set.
Result injected(const char *name) {
	static std::string plan;
	static word calls;
	const char *v = getenv("EMULATE_FAIL");
	if (v == nullptr)
		v = "";
	if (plan != v) {
		plan = v;
		calls = 0;
	}
	size_t n = strlen(name);
	if (plan.compare(0, n, name) != 0 || plan[n] != ':')
		return ok;
	char *rest;
	word at = strtoul(plan.c_str() + n + 1, &rest, 10);
	if (++calls != at)
		return ok;
	Result code = *rest == ':' ? atoi(rest + 1) : 999;
	const Code *c = find(code);
	if (c != nullptr && c->sticky && current != nullptr)
		lose(current, code, std::string("EMULATE_FAIL=") + v);
	return code;
}

// enter is what every function does first; those that need a context find out whether it is well.
Result enter(const char *name, bool wants_context) {
	if (Result r = injected(name))
		return r;
	if (!initialized)
		return not_initialized;
	if (!wants_context)
		return ok;
	if (current == nullptr)
		return invalid_context;
	if (current->users == 0)
		return context_is_destroyed;
	return current->lost;
}

#define ENTER(name, wants_context)                            \
	std::unique_lock<std::recursive_mutex> locked(lock);      \
	if (Result entered = enter(name, wants_context))          \
		return entered;

// Modes of captures, and of threads that meet one.
const int global = 0, relaxed = 2;
thread_local int mode = global;

// no_capture is for what a thread must not do while it records, or while another records that lets nobody do it.
Result no_capture() {
	Result r = ok;
	for (Stream *s : streams.all) {
		Graph *g = s->recording;
		if (g == nullptr || mode == relaxed)
			continue;
		bool own = pthread_equal(g->thread, pthread_self()) != 0;
		if (own ? g->mode != relaxed : g->mode == global && mode == global) {
			g->invalid = true;
			r = capture_unsupported;
		}
	}
	return r;
}

std::string hex(Pointer p) {
	char text[32];
	snprintf(text, sizeof text, "0x%llx", p);
	return text;
}

// check looks at the guards of an allocation.
Result check(Pointer p, const Allocation &b, const std::string &after) {
	const unsigned char *data = (const unsigned char *)p;
	static const std::string right(guard, (char)guarded);
	if (memcmp(data - guard, right.data(), guard) == 0 && memcmp(data + b.bytes, right.data(), guard) == 0)
		return ok;
	for (word i = 1; i <= guard; i++)
		if (data[-(long)i] != guarded || data[b.bytes + i - 1] != guarded)
			return lose(b.context == nullptr ? current : b.context, illegal_address,
			            after + " wrote next to the " + std::to_string(b.bytes) + " bytes at " + hex(p) +
			                (data[-(long)i] != guarded ? ", before them" : ", behind them"));
	return ok;
}

// check_all looks at all allocations where they are few. Of many, which wait for a collector, it looks at some, in turn:
// the others have theirs when they are freed.
Result check_all(Context *c, const std::string &after) {
	const size_t most = 256;
	static Pointer next = 0;
	auto b = allocations.lower_bound(next);
	for (size_t left = std::min(most, allocations.size()); left > 0; left--, ++b) {
		if (b == allocations.end())
			b = allocations.begin();
		if (b->second.context == nullptr || b->second.context == c)
			if (Result r = check(b->first, b->second, after))
				return r;
	}
	next = b == allocations.end() ? 0 : b->first;
	return ok;
}

word used(Context *c) {
	word n = 0;
	for (auto &b : allocations)
		if (b.second.context == c)
			n += b.second.bytes;
	return n;
}

Result allocate(Context *c, word bytes, Pointer *p) {
	if (bytes == 0 || p == nullptr)
		return invalid_value;
	if (bytes > memory_limit() || used(c) + bytes > memory_limit())
		return out_of_memory;
	word inside = (bytes + 2 * guard + page - 1) / page * page;
	Allocation b = {c, current, bytes, nullptr, inside + 2 * page};
	void *map = mmap(nullptr, b.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return out_of_memory;
	b.map = (unsigned char *)map;
	if (mprotect(b.map + page, inside, PROT_READ | PROT_WRITE) != 0) {
		munmap(map, b.mapped);
		return out_of_memory;
	}
	memset(b.map + page, guarded, inside);
	*p = (Pointer)(b.map + page + guard);
	memset((void *)*p, poison, bytes);
	allocations[*p] = b;
	return ok;
}

// release gives memory back; an access after it ends the process.
Result release(Pointer p, bool host) {
	auto i = allocations.find(p);
	if (i == allocations.end() || (i->second.context == nullptr) != host)
		return invalid_value;
	Result r = check(p, i->second, "something");
	munmap(i->second.map, i->second.mapped);
	allocations.erase(i);
	return r;
}

// inside finds out whether a range is in one allocation of a device.
bool inside(Pointer p, word bytes) {
	auto i = allocations.upper_bound(p);
	if (i == allocations.begin())
		return false;
	--i;
	return i->second.context != nullptr && p - i->first <= i->second.bytes &&
	       bytes <= i->second.bytes - (p - i->first);
}

// pinned finds out whether memory of the host is the driver's: then copies run on when their call returns.
bool pinned(const void *p) {
	auto i = allocations.upper_bound((Pointer)p);
	if (i == allocations.begin())
		return false;
	--i;
	return i->second.context == nullptr && (Pointer)p - i->first < i->second.bytes;
}

Stream *stream_of(void *h) { return streams.has(h) && ((Stream *)h)->context == current ? (Stream *)h : nullptr; }

// run runs pieces of a queue up to a place. A piece may wait for another queue, whose work it runs then.
void run(Queue &q, word place) {
	while (q.ran < place) {
		Work work = std::move(q.pieces.front());
		q.pieces.pop_front();
		q.ran++;
		if (q.context->lost == ok)
			work();
	}
}

word behind(const Queue &q) { return q.ran + q.pieces.size(); }

// run_all runs all work of a device, for what waits for it: memory that is released, modules that go.
void run_all(Context *c) {
	for (Stream *s : streams.all)
		if (s->context == c)
			run(*s->queue, behind(*s->queue));
}

// wait_for returns when all pieces up to a place have run, not before a time. Other threads go on until then.
void wait_for(std::unique_lock<std::recursive_mutex> &locked, std::shared_ptr<Queue> q, word place, Due due) {
	const double turn = 1e-3; // as the delay may change
	while (q->ran < place) {
		double s = std::min(due.at() - now(), turn);
		if (s <= 0)
			break;
		timespec t = {0, (long)(1e9 * s)};
		locked.unlock();
		nanosleep(&t, nullptr);
		locked.lock();
	}
	run(*q, place);
}

// submit runs work, records it, or puts it off.
Result submit(Stream *s, Work work) {
	if (s->recording != nullptr) {
		s->recording->work.push_back(std::move(work));
		return ok;
	}
	Queue &q = *s->queue;
	if (delay() == 0 && q.pieces.empty())
		return work();
	q.due = later(q.due, Due{now(), 0});
	q.due.pieces++;
	q.pieces.push_back(std::move(work));
	return ok;
}

// launch runs a kernel. What goes wrong inside shows in the calls that follow.
void launch(const Function *f, void **arguments, u32 x, u32 y, u32 threads, u32 shared) {
	Context *c = f->context;
	for (size_t i = 0; i < f->kernel->sizes.size(); i++) {
		if (f->kernel->sizes[i] != sizeof(Pointer))
			continue;
		auto b = allocations.upper_bound(*(Pointer *)arguments[i]);
		if (b == allocations.begin())
			continue;
		--b;
		if (*(Pointer *)arguments[i] - b->first < b->second.bytes && b->second.context != c) {
			lose(c, illegal_address, f->name + " got memory that is not the device's, argument " + std::to_string(i));
			return;
		}
	}
	if (const char *wrong = emulate::run(f->kernel->entry, arguments, x, y, threads, shared)) {
		lose(c, launch_failed, f->name + ": " + wrong);
		return;
	}
	check_all(c, f->name);
}

} // namespace

namespace emulate {
bool add(const char *name, Kernel k) {
	kernels()[name] = k;
	return true;
}
} // namespace emulate

#define EXPORT extern "C" __attribute__((visibility("default"))) Result

EXPORT cuInit(u32 flags) {
	std::lock_guard<std::recursive_mutex> locked(lock);
	if (Result r = injected("cuInit"))
		return r;
	if (flags != 0)
		return invalid_value;
	if (devices() == 0)
		return no_device;
	initialized = true;
	return ok;
}

EXPORT cuDriverGetVersion(int *version) {
	*version = 13000;
	return injected("cuDriverGetVersion");
}

EXPORT cuGetErrorName(Result code, const char **name) {
	const Code *c = find(code);
	*name = c == nullptr ? nullptr : c->name;
	return c == nullptr ? invalid_value : ok;
}

EXPORT cuGetErrorString(Result code, const char **text) {
	static thread_local std::string longer;
	std::lock_guard<std::recursive_mutex> locked(lock);
	const Code *c = find(code);
	*text = c == nullptr ? nullptr : c->text;
	if (c != nullptr && c->sticky && reason != "") {
		longer = std::string(c->text) + " (" + reason + ")";
		*text = longer.c_str();
	}
	return c == nullptr ? invalid_value : ok;
}

EXPORT cuDeviceGetCount(int *n) {
	ENTER("cuDeviceGetCount", false);
	*n = (int)devices();
	return ok;
}

EXPORT cuDeviceGet(int *device, int i) {
	ENTER("cuDeviceGet", false);
	if (i < 0 || (word)i >= devices())
		return invalid_device;
	*device = i;
	return ok;
}

EXPORT cuDeviceGetName(char *name, int bytes, int device) {
	ENTER("cuDeviceGetName", false);
	snprintf(name, (size_t)bytes, "emulated device %d", device);
	return ok;
}

EXPORT cuDeviceTotalMem_v2(word *bytes, int) {
	ENTER("cuDeviceTotalMem", false);
	*bytes = memory_limit();
	return ok;
}

EXPORT cuDeviceGetAttribute(int *value, int attribute, int) {
	ENTER("cuDeviceGetAttribute", false);
	switch (attribute) {
	case 1: *value = most_threads; return ok;
	case 8: *value = (int)default_shared; return ok;
	case 10: *value = 32; return ok;
	case 16: *value = 4; return ok;
	case 38: *value = 1 << 20; return ok;
	case 39: *value = 2048; return ok;
	case 75: *value = major; return ok;
	case 76: *value = minor; return ok;
	case 97: *value = (int)most_shared(); return ok;
	case 115: *value = (int)number("EMULATE_POOLS", 1); return ok;
	}
	return invalid_value;
}

EXPORT cuDevicePrimaryCtxRetain(void **context, int device) {
	ENTER("cuDevicePrimaryCtxRetain", false);
	if (device < 0 || (word)device >= devices())
		return invalid_device;
	Context &c = contexts[device];
	c.device = device;
	c.users++;
	*context = &c;
	return ok;
}

EXPORT cuDevicePrimaryCtxRelease_v2(int device) {
	ENTER("cuDevicePrimaryCtxRelease", false);
	auto i = contexts.find(device);
	if (i == contexts.end() || i->second.users == 0)
		return invalid_context;
	Context *c = &i->second;
	if (--c->users > 0)
		return ok;
	run_all(c);
	Result r = c->lost == ok ? check_all(c, "something") : ok;
	for (auto b = allocations.begin(); b != allocations.end();) {
		Pointer p = b->first;
		// Nobody can give back what a lost device has of the host.
		bool ours = b->second.context == c || (b->second.context == nullptr && b->second.maker == c && c->lost != ok);
		++b;
		if (ours) {
			munmap(allocations[p].map, allocations[p].mapped);
			allocations.erase(p);
		}
	}
	streams.remove_of(c);
	events.remove_of(c);
	modules.remove_of(c);
	graphs.remove_of(c);
	c->lost = ok;
	return r;
}

namespace {
bool known(void *context) {
	for (auto &c : contexts)
		if (&c.second == context)
			return true;
	return false;
}
} // namespace

EXPORT cuCtxPushCurrent_v2(void *context) {
	ENTER("cuCtxPushCurrent", false);
	if (!known(context))
		return invalid_context;
	beneath.push_back(current);
	current = (Context *)context;
	return ok;
}

EXPORT cuCtxPopCurrent_v2(void **context) {
	ENTER("cuCtxPopCurrent", false);
	if (beneath.empty())
		return invalid_context;
	*context = current;
	current = beneath.back();
	beneath.pop_back();
	return ok;
}

// What other code of a process uses, for tests.

EXPORT cuCtxSetCurrent(void *context) {
	ENTER("cuCtxSetCurrent", false);
	if (context != nullptr && !known(context))
		return invalid_context;
	current = (Context *)context;
	return ok;
}

EXPORT cuCtxGetCurrent(void **context) {
	ENTER("cuCtxGetCurrent", false);
	*context = current;
	return ok;
}

EXPORT cuMemGetInfo_v2(word *available, word *total) {
	ENTER("cuMemGetInfo", true);
	*total = memory_limit();
	word n = used(current);
	*available = n < *total ? *total - n : 0;
	return ok;
}

EXPORT cuMemAlloc_v2(Pointer *p, word bytes) {
	ENTER("cuMemAlloc", true);
	if (Result r = no_capture())
		return r;
	return allocate(current, bytes, p);
}

EXPORT cuMemFree_v2(Pointer p) {
	ENTER("cuMemFree", true);
	if (Result r = no_capture())
		return r;
	run_all(current);
	return release(p, false);
}

// Memory of the pool is there at once, and goes in the order of its stream: an access of another stream that may come
// later ends the process.

EXPORT cuMemAllocAsync(Pointer *p, word bytes, void *stream) {
	ENTER("cuMemAllocAsync", true);
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	if (s->recording != nullptr)
		return capture_unsupported;
	return allocate(current, bytes, p);
}

EXPORT cuMemFreeAsync(Pointer p, void *stream) {
	ENTER("cuMemFreeAsync", true);
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	if (s->recording != nullptr)
		return capture_unsupported;
	if (!inside(p, 1))
		return invalid_value;
	return submit(s, [=] { return release(p, false); });
}

EXPORT cuDeviceGetDefaultMemPool(void **pool, int device) {
	ENTER("cuDeviceGetDefaultMemPool", false);
	if (contexts.count(device) == 0)
		return invalid_device;
	*pool = &contexts[device];
	return ok;
}

EXPORT cuDeviceCanAccessPeer(int *can, int device, int peer) {
	ENTER("cuDeviceCanAccessPeer", false);
	if (device == peer)
		return invalid_device;
	*can = 1;
	return ok;
}

EXPORT cuMemPoolSetAccess(void *pool, const int *access, size_t n) {
	ENTER("cuMemPoolSetAccess", false);
	const int on_device = 1, read_write = 3;
	for (auto &c : contexts)
		if (&c.second == pool && n == 1)
			return access[0] == on_device && access[2] == read_write ? ok : invalid_value;
	return invalid_value;
}

EXPORT cuMemHostAlloc(void **p, word bytes, u32) {
	ENTER("cuMemHostAlloc", true);
	if (Result r = no_capture())
		return r;
	return allocate(nullptr, bytes, (Pointer *)p);
}

EXPORT cuMemFreeHost(void *p) {
	ENTER("cuMemFreeHost", true);
	if (Result r = no_capture())
		return r;
	run_all(current);
	return release((Pointer)p, true);
}

EXPORT cuMemcpyHtoDAsync_v2(Pointer to, const void *from, word bytes, void *stream) {
	ENTER("cuMemcpyHtoDAsync", true);
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	if (bytes != 0 && (from == nullptr || !inside(to, bytes)))
		return invalid_value;
	if (s->recording == nullptr && !pinned(from)) { // the driver has read it when the call returns
		std::vector<u8> kept((const u8 *)from, (const u8 *)from + bytes);
		return submit(s, [=] {
			memcpy((void *)to, kept.data(), bytes);
			return ok;
		});
	}
	return submit(s, [=] {
		memcpy((void *)to, from, bytes);
		return ok;
	});
}

EXPORT cuMemcpyDtoHAsync_v2(void *to, Pointer from, word bytes, void *stream) {
	ENTER("cuMemcpyDtoHAsync", true);
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	if (bytes != 0 && (to == nullptr || !inside(from, bytes)))
		return invalid_value;
	Result r = submit(s, [=] {
		memcpy(to, (const void *)from, bytes);
		return ok;
	});
	if (s->recording == nullptr && !pinned(to)) // the driver writes it before the call returns
		wait_for(locked, s->queue, behind(*s->queue), s->queue->due);
	return r;
}

EXPORT cuMemcpyDtoDAsync_v2(Pointer to, Pointer from, word bytes, void *stream) {
	ENTER("cuMemcpyDtoDAsync", true);
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	if (bytes != 0 && (!inside(to, bytes) || !inside(from, bytes)))
		return invalid_value;
	return submit(s, [=] {
		memcpy((void *)to, (const void *)from, bytes);
		return ok;
	});
}

EXPORT cuMemsetD8Async(Pointer to, u8 value, word bytes, void *stream) {
	ENTER("cuMemsetD8Async", true);
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	if (bytes != 0 && !inside(to, bytes))
		return invalid_value;
	return submit(s, [=] {
		memset((void *)to, value, bytes);
		return ok;
	});
}

EXPORT cuStreamCreate(void **stream, u32) {
	ENTER("cuStreamCreate", true);
	*stream = streams.add(new Stream{current, nullptr, false, std::make_shared<Queue>(Queue{current, {}, 0, {0, 0}})});
	return ok;
}

EXPORT cuStreamCreateWithPriority(void **stream, u32, int) {
	ENTER("cuStreamCreateWithPriority", true);
	*stream = streams.add(new Stream{current, nullptr, false, std::make_shared<Queue>(Queue{current, {}, 0, {0, 0}})});
	return ok;
}

EXPORT cuStreamDestroy_v2(void *stream) {
	ENTER("cuStreamDestroy", true);
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	run(*s->queue, behind(*s->queue));
	streams.remove(s);
	return ok;
}

EXPORT cuStreamSynchronize(void *stream) {
	ENTER("cuStreamSynchronize", true);
	if (Result r = no_capture())
		return r;
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	if (s->recording != nullptr) {
		s->recording->invalid = true;
		return capture_unsupported;
	}
	wait_for(locked, s->queue, behind(*s->queue), s->queue->due);
	return current->lost != ok ? current->lost : check_all(current, "something");
}

EXPORT cuStreamWriteValue32_v2(void *stream, Pointer to, u32 value, u32) {
	ENTER("cuStreamWriteValue32", true);
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	if (to % sizeof(u32) != 0 || (!inside(to, sizeof(u32)) && !pinned((void *)to)))
		return invalid_value;
	Work work = [=] {
		__atomic_store_n((u32 *)to, value, __ATOMIC_RELEASE);
		return ok;
	};
	Queue &q = *s->queue;
	if (s->recording != nullptr || q.pieces.empty())
		return s->recording != nullptr ? submit(s, std::move(work)) : work();
	q.pieces.push_back(std::move(work)); // which takes no time
	return ok;
}

EXPORT cuStreamWaitEvent(void *stream, void *event, u32) {
	ENTER("cuStreamWaitEvent", true);
	Stream *s = stream_of(stream);
	if (s == nullptr || !events.has(event))
		return invalid_handle;
	Event *e = (Event *)event;
	if (e->recorded != nullptr && s->recording == nullptr)
		s->recording = e->recorded;
	if (s->recording != nullptr && e->placed) { // outside of the capture
		s->recording->invalid = true;
		return capture_isolation;
	}
	if (s->recording != nullptr || !e->placed || (s->queue->pieces.empty() && e->queue->ran >= e->place))
		return ok;
	std::shared_ptr<Queue> of = e->queue;
	word place = e->place;
	s->queue->due = later(s->queue->due, e->due);
	s->queue->pieces.push_back([=] {
		run(*of, place);
		return ok;
	});
	return ok;
}

EXPORT cuStreamBeginCapture_v2(void *stream, int how) {
	ENTER("cuStreamBeginCapture", true);
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	if (s->recording != nullptr)
		return capture_unsupported;
	s->recording = graphs.add(new Graph{current, {}, pthread_self(), false, how});
	s->origin = true;
	return ok;
}

EXPORT cuStreamEndCapture(void *stream, void **graph) {
	ENTER("cuStreamEndCapture", true);
	Stream *s = stream_of(stream);
	if (s == nullptr || s->recording == nullptr || !s->origin)
		return invalid_handle;
	Graph *g = s->recording;
	if (!pthread_equal(g->thread, pthread_self()))
		return capture_wrong_thread;
	for (Stream *other : streams.all)
		if (other->recording == g) {
			other->recording = nullptr;
			other->origin = false;
		}
	for (Event *e : events.all)
		if (e->recorded == g)
			e->recorded = nullptr;
	if (g->invalid) {
		graphs.remove(g);
		*graph = nullptr;
		return capture_invalidated;
	}
	*graph = g;
	return ok;
}

EXPORT cuStreamIsCapturing(void *stream, int *status) {
	ENTER("cuStreamIsCapturing", true);
	Stream *s = stream_of(stream);
	if (s == nullptr)
		return invalid_handle;
	*status = s->recording == nullptr ? 0 : s->recording->invalid ? 2 : 1;
	return ok;
}

EXPORT cuThreadExchangeStreamCaptureMode(int *other) {
	ENTER("cuThreadExchangeStreamCaptureMode", false);
	if (*other < global || *other > relaxed)
		return invalid_value;
	std::swap(mode, *other);
	return ok;
}

EXPORT cuStreamGetCtx(void *stream, void **context) {
	ENTER("cuStreamGetCtx", true);
	if (!streams.has(stream))
		return invalid_handle;
	*context = ((Stream *)stream)->context;
	return ok;
}

EXPORT cuPointerGetAttribute(int *value, int attribute, Pointer p) {
	ENTER("cuPointerGetAttribute", true);
	auto i = allocations.upper_bound(p);
	if (i == allocations.begin())
		return invalid_value;
	--i;
	Context *c = i->second.context;
	if (p - i->first >= i->second.bytes)
		return invalid_value;
	switch (attribute) {
	case 2: *value = c == nullptr ? 1 : 2; return ok;
	case 9: *value = c == nullptr ? 0 : c->device; return ok;
	}
	return invalid_value;
}

EXPORT cuMemGetAddressRange_v2(Pointer *base, word *bytes, Pointer p) {
	ENTER("cuMemGetAddressRange", true);
	auto i = allocations.upper_bound(p);
	if (i == allocations.begin() || p - (--i)->first >= i->second.bytes || i->second.context != current)
		return invalid_value;
	*base = i->first;
	*bytes = i->second.bytes;
	return ok;
}

EXPORT cuEventCreate(void **event, u32 flags) {
	ENTER("cuEventCreate", true);
	const u32 untimed = 2;
	*event = events.add(new Event{current, (flags & untimed) == 0, nullptr, false, nullptr, 0, {0, 0}});
	return ok;
}

EXPORT cuEventDestroy_v2(void *event) {
	ENTER("cuEventDestroy", true);
	if (!events.has(event))
		return invalid_handle;
	events.remove((Event *)event);
	return ok;
}

EXPORT cuEventRecord(void *event, void *stream) {
	ENTER("cuEventRecord", true);
	Stream *s = stream_of(stream);
	if (s == nullptr || !events.has(event) || ((Event *)event)->context != current)
		return invalid_handle;
	Event *e = (Event *)event;
	e->recorded = s->recording;
	e->placed = s->recording == nullptr;
	e->queue = s->queue;
	e->place = behind(*s->queue);
	e->due = later(s->queue->due, Due{now(), 0});
	return ok;
}

EXPORT cuEventSynchronize(void *event) {
	ENTER("cuEventSynchronize", true);
	if (Result r = no_capture())
		return r;
	if (!events.has(event))
		return invalid_handle;
	Event *e = (Event *)event;
	if (Graph *g = e->recorded) {
		g->invalid = true;
		return capture_unsupported;
	}
	if (e->placed)
		wait_for(locked, e->queue, e->place, e->due);
	return current->lost != ok ? current->lost : check_all(current, "something");
}

EXPORT cuEventQuery(void *event) {
	ENTER("cuEventQuery", true);
	if (Result r = no_capture())
		return r;
	if (!events.has(event))
		return invalid_handle;
	Event *e = (Event *)event;
	if (Graph *g = e->recorded) {
		g->invalid = true;
		return capture_unsupported;
	}
	if (e->placed && e->queue->ran < e->place) {
		if (now() < e->due.at())
			return not_ready;
		run(*e->queue, e->place);
	}
	return current->lost != ok ? current->lost : check_all(current, "something");
}

EXPORT cuEventElapsedTime(float *ms, void *from, void *to) {
	ENTER("cuEventElapsedTime", true);
	if (!events.has(from) || !events.has(to))
		return invalid_handle;
	const Event *a = (Event *)from, *b = (Event *)to;
	if (!a->placed || !b->placed || !a->timed || !b->timed)
		return invalid_handle;
	if (a->queue->ran < a->place || b->queue->ran < b->place)
		return not_ready;
	*ms = (float)(1e3 * (b->due.at() - a->due.at()));
	return ok;
}

EXPORT cuModuleLoadDataEx(void **module, const void *image, u32 n, const int *options, void **values) {
	ENTER("cuModuleLoadDataEx", true);
	if (Result r = no_capture())
		return r;
	std::string text = (const char *)image;
	char *log = nullptr;
	word bytes = 0;
	for (u32 i = 0; i < n; i++) {
		if (options[i] == 5)
			log = (char *)values[i];
		if (options[i] == 6)
			bytes = (word)values[i];
	}
	auto refuse = [&](Result code, const std::string &why) {
		if (log != nullptr)
			snprintf(log, bytes, "%s", why.c_str());
		return code;
	};
	auto line = [&](const char *directive) {
		size_t at = text.find(directive);
		if (at == std::string::npos)
			return std::string();
		at += strlen(directive);
		return text.substr(at, text.find('\n', at) - at);
	};
	const std::string ptxas = "ptxas application ptx input; ";
	size_t start = 0;
	while (start < text.size() && (strchr(" \t\r\n", text[start]) != nullptr || text.compare(start, 2, "//") == 0))
		start = text.compare(start, 2, "//") == 0 ? text.find('\n', start) : start + 1;
	if (start >= text.size() || text.compare(start, 9, ".version ") != 0)
		return refuse(invalid_image, "error   : Binary format for key='0', ident='' is not recognized");
	if (atof(line(".version ").c_str()) > newest_ptx)
		return refuse(unsupported_ptx_version, ptxas + "fatal   : Unsupported .version" + line(".version"));
	if (line(".target sm_") == "")
		return refuse(invalid_ptx, ptxas + "fatal   : Missing .target directive");
	if ((u32)atoi(line(".target sm_").c_str()) > 10 * major + minor)
		return refuse(invalid_ptx,
		              "ptxas fatal   : SM version specified by .target is higher than default SM version assumed");
	std::unique_ptr<Module> m(new Module{current, {}});
	const std::string entry = ".entry ", limit = ".maxntid ";
	for (size_t at = text.find(entry); at != std::string::npos; at = text.find(entry, at)) {
		at += entry.size();
		size_t body = text.find('{', at), bound = text.find(limit, at);
		if (body == std::string::npos || text.find('}', body) == std::string::npos)
			return refuse(invalid_ptx, ptxas + "fatal   : Parsing error near '': syntax error");
		std::string name = text.substr(at, text.find('(', at) - at);
		auto k = kernels().find(name);
		if (k == kernels().end())
			return refuse(invalid_ptx, "emulate: " + name + " is no kernel that was compiled for the host");
		u32 threads = bound < body ? (u32)atoi(text.c_str() + bound + limit.size()) : most_threads;
		m->functions[name].reset(new Function{current, &k->second, name, threads, default_shared});
	}
	*module = modules.add(m.release());
	return ok;
}

// What is compiled is the text itself here.
EXPORT cuLinkCreate_v2(u32, int *, void **, void **linker) {
	ENTER("cuLinkCreate", true);
	*linker = linkers.add(new Linker());
	return ok;
}

EXPORT cuLinkAddData_v2(void *linker, int kind, void *data, size_t bytes, const char *, u32, int *, void **) {
	ENTER("cuLinkAddData", true);
	const int ptx = 1;
	if (!linkers.has(linker))
		return invalid_handle;
	if (kind != ptx || bytes == 0 || ((const char *)data)[bytes - 1] != 0)
		return invalid_value;
	((Linker *)linker)->text += std::string((const char *)data);
	return ok;
}

EXPORT cuLinkComplete(void *linker, void **image, size_t *bytes) {
	ENTER("cuLinkComplete", true);
	if (!linkers.has(linker))
		return invalid_handle;
	std::string &text = ((Linker *)linker)->text;
	if (text.find(".version ") == std::string::npos)
		return invalid_ptx;
	*image = &text[0];
	*bytes = text.size();
	return ok;
}

EXPORT cuLinkDestroy(void *linker) {
	ENTER("cuLinkDestroy", true);
	if (!linkers.has(linker))
		return invalid_handle;
	linkers.remove((Linker *)linker);
	return ok;
}

EXPORT cuModuleUnload(void *module) {
	ENTER("cuModuleUnload", true);
	if (!modules.has(module))
		return invalid_handle;
	run_all(current);
	modules.remove((Module *)module);
	return ok;
}

EXPORT cuModuleGetFunction(void **function, void *module, const char *name) {
	ENTER("cuModuleGetFunction", true);
	if (!modules.has(module))
		return invalid_handle;
	auto i = ((Module *)module)->functions.find(name);
	if (i == ((Module *)module)->functions.end())
		return not_found;
	*function = i->second.get();
	return ok;
}

namespace {
// function_of is the function of a module that is still loaded.
Function *function_of(void *h) {
	for (Module *m : modules.all)
		for (auto &f : m->functions)
			if (f.second.get() == h && m->context == current)
				return f.second.get();
	return nullptr;
}
} // namespace

// Kernels take no registers here and no local memory.
EXPORT cuFuncGetAttribute(int *value, int attribute, void *function) {
	ENTER("cuFuncGetAttribute", true);
	if (function_of(function) == nullptr)
		return invalid_handle;
	if (value == nullptr || (attribute != 3 && attribute != 4))
		return invalid_value;
	*value = 0;
	return ok;
}

// Only threads bound the blocks of a multiprocessor.
EXPORT cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t) {
	ENTER("cuOccupancyMaxActiveBlocksPerMultiprocessor", true);
	Function *f = function_of(function);
	if (f == nullptr)
		return invalid_handle;
	if (blocks == nullptr || threads < 1 || (u32)threads > f->most_threads)
		return invalid_value;
	*blocks = 2048 / threads;
	return ok;
}

EXPORT cuFuncSetAttribute(void *function, int attribute, int value) {
	ENTER("cuFuncSetAttribute", true);
	Function *f = function_of(function);
	if (f == nullptr)
		return invalid_handle;
	if (attribute != 8 || value < 0 || (word)value > most_shared())
		return invalid_value;
	f->shared = (word)value;
	return ok;
}

EXPORT cuLaunchKernel(void *function, u32 x, u32 y, u32 z, u32 threads, u32 threads_y, u32 threads_z, u32 shared,
                      void *stream, void **arguments, void **extra) {
	ENTER("cuLaunchKernel", true);
	Function *f = function_of(function);
	Stream *s = stream_of(stream);
	if (f == nullptr || s == nullptr)
		return invalid_handle;
	if (x == 0 || x > 0x7fffffff || y == 0 || y > most_y || z != 1 || threads == 0 || threads > f->most_threads ||
	    threads_y != 1 || threads_z != 1 || shared > f->shared || extra != nullptr)
		return invalid_value;
	if (s->recording == nullptr && delay() == 0 && s->queue->pieces.empty()) {
		launch(f, arguments, x, y, threads, shared);
		return ok;
	}
	std::vector<std::vector<u8>> kept; // the caller's are good for this call alone
	for (size_t i = 0; i < f->kernel->sizes.size(); i++)
		kept.emplace_back((u8 *)arguments[i], (u8 *)arguments[i] + f->kernel->sizes[i]);
	return submit(s, [=]() mutable {
		std::vector<void *> p;
		for (auto &k : kept)
			p.push_back(k.data());
		launch(f, p.data(), x, y, threads, shared);
		return f->context->lost;
	});
}

EXPORT cuGraphInstantiateWithFlags(void **executable, void *graph, u64) {
	ENTER("cuGraphInstantiateWithFlags", true);
	if (!graphs.has(graph))
		return invalid_handle;
	*executable = graphs.add(new Graph(*(Graph *)graph));
	return ok;
}

EXPORT cuGraphDestroy(void *graph) {
	ENTER("cuGraphDestroy", true);
	if (!graphs.has(graph))
		return invalid_handle;
	graphs.remove((Graph *)graph);
	return ok;
}

EXPORT cuGraphExecDestroy(void *graph) {
	ENTER("cuGraphExecDestroy", true);
	if (!graphs.has(graph))
		return invalid_handle;
	graphs.remove((Graph *)graph);
	return ok;
}

EXPORT cuGraphLaunch(void *graph, void *stream) {
	ENTER("cuGraphLaunch", true);
	Stream *s = stream_of(stream);
	if (s == nullptr || !graphs.has(graph) || ((Graph *)graph)->context != current)
		return invalid_handle;
	std::vector<Work> all = ((Graph *)graph)->work;
	Context *c = current;
	Result r = submit(s, [=] {
		for (auto &work : all)
			if (Result r = work())
				return r;
		return (Result)ok;
	});
	return r == c->lost ? ok : r;
}
