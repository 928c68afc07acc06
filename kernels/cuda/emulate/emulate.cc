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

enum State { unborn, ready, parked, exchanging, done };

// Fiber is one thread of a block after the other, on a stack of its own.
struct Fiber {
	State state;
	jmp_buf at;
	bool started; // and jumps to at from then on: a first start costs two calls of the system
	unsigned char *stack;
	ucontext_t context;
};

struct Machine {
	std::vector<Fiber> fibers;
	std::vector<u32> slots; // what lanes bring to a shuffle
	std::vector<unsigned char> memory;
	Entry entry;
	void **arguments;
	jmp_buf scheduler;
	u32 running;
	~Machine() {
		for (Fiber &f : fibers)
			free(f.stack);
	}
};
thread_local Machine machine;

void wait(State s) {
	Machine &m = machine;
	u32 self = m.running;
	m.fibers[self].state = s;
	if (_setjmp(m.fibers[self].at) == 0)
		_longjmp(m.scheduler, 1);
}

void body() {
	for (;;) {
		machine.entry(machine.arguments);
		wait(done);
	}
}

// resume runs a fiber until it waits or ends.
void resume(u32 i) {
	Machine &m = machine;
	Fiber &f = m.fibers[i];
	m.running = i;
	here.thread = i;
	if (_setjmp(m.scheduler) != 0)
		return;
	f.state = ready;
	if (f.started)
		_longjmp(f.at, 1);
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
bool release(u32 threads) {
	Machine &m = machine;
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

const char *run_block(u32 threads, bool backward) {
	Machine &m = machine;
	for (u32 i = 0; i < threads; i++) {
		Fiber &f = m.fibers[i];
		f.started = f.started && f.state == done; // one that waits for ever is left behind
		f.state = unborn;
	}
	for (;;) {
		for (u32 n = 0; n < threads; n++) {
			u32 i = backward ? threads - 1 - n : n;
			if (m.fibers[i].state == unborn || m.fibers[i].state == ready)
				resume(i);
		}
		backward = !backward;
		if (release(threads))
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

void barrier() { wait(parked); }

u32 exchange(u32 v, u32 mask) {
	u32 self = machine.running;
	machine.slots[self] = v;
	wait(exchanging);
	u32 r = machine.slots[self ^ mask];
	wait(exchanging); // nobody overwrites a slot before all have read
	return r;
}

const char *run(Entry entry, void **arguments, u32 blocks, u32 blocks_y, u32 threads, u32 shared) {
	Machine &m = machine;
	if (m.fibers.size() < threads) {
		m.fibers.resize(threads);
		m.slots.resize(threads);
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
			if (const char *wrong = run_block(threads, (x + y) % 2 != 0))
				return wrong;
			for (size_t i = shared; i < shared + guard; i++)
				if (dynamic[i] != guarded)
					return "a block wrote behind its shared memory";
		}
	return nullptr;
}
} // namespace emulate
