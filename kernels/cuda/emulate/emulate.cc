// Blocks of kernels as fibers. The order of the fibers turns round at each barrier and each block, so that a missing
// barrier changes results.
#include "../prelude.cuh"

#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <vector>

namespace emulate {
thread_local Position here;
thread_local unsigned char *dynamic;

namespace {
const u32 warp = 32;
const size_t stack = 256 << 10;
const size_t guard = 64;         // bytes after shared memory that nobody writes
const unsigned char poison = 0xa5, guarded = 0xc3; // what shared memory and its guard hold when a block starts

// Place is where a fiber or the scheduler goes on. What the compiler has for it saves no register that nobody needs.
#ifdef __x86_64__
typedef void *Place[5];
#define SAVE(place) __builtin_setjmp(place)
#define GO(place) __builtin_longjmp(place, 1)
#else
typedef jmp_buf Place;
#define SAVE(place) _setjmp(place)
#define GO(place) _longjmp(place, 1)
#endif

enum State { unborn, ready, parked, exchanging, done };

// Fiber is one thread of a block after the other, on a stack of its own.
struct Fiber {
	State state;
	u32 shuffles; // of a thread
	Place at;
	bool started; // and jumps to at from then on: a first start costs two calls of the system
	unsigned char *stack;
	ucontext_t context;
};

struct Machine {
	std::vector<Fiber> fibers;
	std::vector<u32> slots; // what lanes bring to a shuffle, and behind it to the next one
	std::vector<unsigned char> memory;
	Entry entry;
	void **arguments;
	Place scheduler;
	u32 running;
	~Machine() {
		for (Fiber &f : fibers)
			free(f.stack);
	}
};
thread_local Machine machine;

__attribute__((noinline)) void wait(Machine &m, State s) {
	Fiber &f = m.fibers[m.running];
	f.state = s;
	if (SAVE(f.at) == 0)
		GO(m.scheduler);
}

void body() {
	Machine &m = machine;
	for (;;) {
		m.entry(m.arguments);
		wait(m, done);
	}
}

// resume runs a fiber until it waits or ends.
__attribute__((noinline)) void resume(Machine &m, u32 i) {
	Fiber &f = m.fibers[i];
	m.running = i;
	here.thread = i;
	if (SAVE(m.scheduler) != 0)
		return;
	f.state = ready;
	if (f.started)
		GO(f.at);
	f.started = true;
	if (f.stack == nullptr)
		f.stack = (unsigned char *)malloc(stack);
	getcontext(&f.context);
	f.context.uc_stack.ss_sp = f.stack;
	f.context.uc_stack.ss_size = stack - i * 576 % 32768; // so that stacks do not compete for the same lines of a cache
	f.context.uc_link = nullptr;
	makecontext(&f.context, body, 0);
	setcontext(&f.context);
}

// release lets go the warps whose lanes have all come to a shuffle.
bool release(Machine &m, u32 threads) {
	bool any = false;
	for (u32 first = 0; first < threads; first += warp) {
		u32 last = first + warp < threads ? first + warp : threads;
		bool all = true;
		for (u32 i = first; i < last; i++)
			all = all && m.fibers[i].state == exchanging;
		for (u32 i = first; all && i < last; i++)
			m.fibers[i].state = ready;
		any = any || all;
	}
	return any;
}

const char *run_block(Machine &m, u32 threads, bool backward) {
	for (u32 i = 0; i < threads; i++) {
		Fiber &f = m.fibers[i];
		f.started = f.started && f.state == done; // one that waits for ever is left behind
		f.state = unborn;
		f.shuffles = 0;
	}
	for (;;) {
		for (u32 n = 0; n < threads; n++) {
			u32 i = backward ? threads - 1 - n : n;
			if (m.fibers[i].state == unborn || m.fibers[i].state == ready)
				resume(m, i);
		}
		backward = !backward;
		if (release(m, threads))
			continue;
		u32 count[done + 1] = {};
		for (u32 i = 0; i < threads; i++)
			count[m.fibers[i].state]++;
		if (count[done] == threads)
			return nullptr;
		if (count[parked] != threads)
			return "threads of a block wait at a barrier or a shuffle that others never reach";
		for (u32 i = 0; i < threads; i++)
			m.fibers[i].state = ready;
	}
}
} // namespace

void barrier() { wait(machine, parked); }

// exchange has two rows of slots in turn: who comes to a shuffle has read what was brought to the one before, so that
// nobody writes a slot that another lane still reads.
u32 exchange(u32 v, u32 mask) {
	Machine &m = machine;
	u32 self = m.running;
	u32 *slots = m.slots.data() + m.fibers[self].shuffles++ % 2 * m.fibers.size();
	slots[self] = v;
	wait(m, exchanging);
	return slots[self ^ mask];
}

const char *run(Entry entry, void **arguments, u32 blocks, u32 blocks_y, u32 threads, u32 shared) {
	Machine &m = machine;
	if (m.fibers.size() < threads) {
		m.fibers.resize(threads);
		m.slots.resize(2 * threads);
	}
	m.memory.resize(shared + guard + 16);
	dynamic = (unsigned char *)(((size_t)m.memory.data() + 15) & ~(size_t)15);
	m.entry = entry;
	m.arguments = arguments;
	for (u32 y = 0; y < blocks_y; y++)
		for (u32 x = 0; x < blocks; x++) {
			memset(dynamic, poison, shared);
			memset(dynamic + shared, guarded, guard);
			here = Position{0, threads, x, blocks, y, blocks_y};
			if (const char *wrong = run_block(m, threads, (x + y) % 2 != 0))
				return wrong;
			for (size_t i = shared; i < shared + guard; i++)
				if (dynamic[i] != guarded)
					return "a block wrote behind its shared memory";
		}
	return nullptr;
}
} // namespace emulate
