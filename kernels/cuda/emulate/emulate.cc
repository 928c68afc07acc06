// Blocks of kernels as fibers. The order of the fibers turns round at each barrier and each block, so that a missing
// barrier changes results.
#include "../prelude.cuh"

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <vector>

namespace emulate {
Position here;
unsigned char *dynamic;

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

enum State : unsigned char { unborn, ready, parked, exchanging, done };

// Fiber is one thread of a block after the other, on a stack of its own. It takes one line of a cache: blocks that
// shuffle go through all of them again and again.
struct alignas(64) Fiber {
	Place at;
	unsigned char *stack;
	u32 shuffles; // of a thread
	bool started; // and jumps to at from then on: a first start costs two calls of the system
};

// Machine runs one block. There is one of it: the driver runs everything under its lock.
struct Machine {
	std::vector<Fiber> fibers;
	std::vector<State> states;
	std::vector<u32> slots; // what lanes bring to a shuffle, and behind it to the next one
	std::vector<Words> words; // the same of those that bring several
	std::vector<unsigned char> memory;
	Entry entry;
	void **arguments;
	Place scheduler;
	u32 running;
	u32 next, step, end; // whose turn comes then, the way to the one after it, and where the turns end
	ucontext_t first;    // of a fiber that starts
} machine;

void body();

// go_on goes to the next fiber that does not wait, and to the scheduler where there is none.
[[noreturn]] __attribute__((noinline)) void go_on(Machine &m) {
	u32 i = m.next;
	while (i != m.end && m.states[i] != unborn && m.states[i] != ready)
		i += m.step;
	if (i == m.end)
		GO(m.scheduler);
	m.next = i + m.step;
	m.running = i;
	here.thread = i;
	m.states[i] = ready;
	Fiber &f = m.fibers[i];
	if (f.started)
		GO(f.at);
	f.started = true;
	if (f.stack == nullptr)
		f.stack = (unsigned char *)malloc(stack);
	getcontext(&m.first);
	m.first.uc_stack.ss_sp = f.stack;
	m.first.uc_stack.ss_size = stack - i * 576 % 32768; // so that stacks do not compete for the same lines of a cache
	m.first.uc_link = nullptr;
	makecontext(&m.first, body, 0);
	setcontext(&m.first);
	abort();
}

// WAIT is no function: the processor never foresees where a fiber returns to.
#define WAIT(m, state)                         \
	m.states[m.running] = state;               \
	if (SAVE(m.fibers[m.running].at) == 0)     \
		go_on(m);

void body() {
	Machine &m = machine;
	for (;;) {
		m.entry(m.arguments);
		WAIT(m, done)
	}
}

// turn runs all fibers that do not wait until they wait or end.
__attribute__((noinline)) void turn(Machine &m, u32 threads, bool backward) {
	m.next = backward ? threads - 1 : 0;
	m.step = backward ? -1u : 1;
	m.end = backward ? -1u : threads;
	if (SAVE(m.scheduler) == 0)
		go_on(m);
}

// release lets go the warps whose lanes have all come to a shuffle.
bool release(Machine &m, u32 threads) {
	bool any = false;
	for (u32 first = 0; first < threads; first += warp) {
		State *s = &m.states[first];
		u32 lanes = threads - first < warp ? threads - first : warp;
		if (std::all_of(s, s + lanes, [](State s) { return s == exchanging; })) {
			std::fill(s, s + lanes, ready);
			any = true;
		}
	}
	return any;
}

const char *run_block(Machine &m, u32 threads, bool backward) {
	for (u32 i = 0; i < threads; i++) {
		Fiber &f = m.fibers[i];
		f.started = f.started && m.states[i] == done; // one that waits for ever is left behind
		m.states[i] = unborn;
		f.shuffles = 0;
	}
	for (;;) {
		turn(m, threads, backward);
		backward = !backward;
		if (release(m, threads))
			continue;
		auto all = [&](State s) { return std::count(m.states.begin(), m.states.begin() + threads, s) == threads; };
		if (all(done))
			return nullptr;
		if (!all(parked))
			return "threads of a block wait at a barrier or a shuffle that others never reach";
		std::fill_n(m.states.begin(), threads, ready);
	}
}
} // namespace

void barrier() { WAIT(machine, parked) }

// exchange has two rows of slots in turn: who comes to a shuffle has read what was brought to the one before, so that
// nobody writes a slot that another lane still reads.
u32 exchange(u32 v, u32 mask) {
	Machine &m = machine;
	u32 self = m.running;
	u32 *slots = m.slots.data() + m.fibers[self].shuffles++ % 2 * m.fibers.size();
	slots[self] = v;
	WAIT(m, exchanging)
	return slots[self ^ mask];
}

const Words *bring(const Words &v) {
	Machine &m = machine;
	u32 self = m.running;
	Words *words = m.words.data() + m.fibers[self].shuffles++ % 2 * m.fibers.size();
	words[self] = v;
	WAIT(m, exchanging)
	return words + self / warp * warp;
}

const char *run(Entry entry, void **arguments, u32 blocks, u32 blocks_y, u32 threads, u32 shared) {
	Machine &m = machine;
	if (m.fibers.size() < threads) {
		m.fibers.resize(threads);
		m.states.resize(threads);
		m.slots.resize(2 * threads);
		m.words.resize(2 * threads);
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
