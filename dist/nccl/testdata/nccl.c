// A libnccl for tests: communicators of threads and processes of one host, over the emulated driver, whose memory is
// the host's. Calls return before their work is done, as those of a communicator without blocking may. Work begins
// when the stream is empty, and is in no stream, so that whoever asks the stream first gets wrong values.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

enum { RANKS = 16, SENDS = 1024, INTERNAL = 3, INVALID = 4, USAGE = 5, REMOTE = 6, BUSY = 7 };

typedef struct { unsigned char b[128]; } id;
typedef struct { size_t size; unsigned magic, version; int blocking; } config;
typedef struct { const void *at; size_t n; int peer; } op;

typedef struct {
	atomic_int here, gone;
	struct { atomic_int pid; atomic_long posted, done; int n; op send[SENDS]; } rank[RANKS];
} room;

typedef struct {
	room *r;
	int rank, size, sends, receives;
	op send[SENDS], receive[SENDS];
	long round;
	atomic_int state, aborted, working;
	char name[64];
} comm;

static atomic_int live;
static __thread comm *group;
static __thread void *stream;

int emulatedCommunicators(void) { return live; }

int ncclGetVersion(int *v)
{
	const char *s = getenv("EMULATE_NCCL");
	*v = s ? atoi(s) : 22803;
	return 0;
}

int ncclGetUniqueId(id *u) { return getrandom(u, sizeof *u, 0) == sizeof *u ? 0 : INTERNAL; }

const char *ncclGetErrorString(int code) { return code == REMOTE ? "a peer is gone" : "an error"; }

// lost reports whether a peer has died, or somebody has given up.
static int lost(comm *c)
{
	if (c->aborted)
		return INTERNAL;
	for (int i = 0; i < c->size; i++) {
		int pid = c->r->rank[i].pid;
		if (pid && kill(pid, 0))
			return REMOTE;
	}
	return 0;
}

#define UNTIL(condition) \
	while (!(condition)) { \
		int code = lost(c); \
		if (code) \
			return code; \
		usleep(50); \
	}

static int start(comm *c)
{
	c->r->rank[c->rank].pid = getpid();
	c->r->here++;
	UNTIL(c->r->here >= c->size);
	if (c->rank == 0)
		shm_unlink(c->name);
	return 0;
}

static int move(comm *c)
{
	room *r = c->r;
	long round = ++c->round;
	int next[RANKS] = {0};
	memcpy(r->rank[c->rank].send, c->send, c->sends * sizeof(op));
	r->rank[c->rank].n = c->sends;
	r->rank[c->rank].posted = round;
	for (int i = 0; i < c->receives; i++) {
		int p = c->receive[i].peer, *at = &next[p];
		UNTIL(r->rank[p].posted >= round);
		while (*at < r->rank[p].n && r->rank[p].send[*at].peer != c->rank)
			++*at;
		if (*at == r->rank[p].n || r->rank[p].send[*at].n != c->receive[i].n)
			return INVALID;
		struct iovec to = {(void *)c->receive[i].at, c->receive[i].n};
		struct iovec from = {(void *)r->rank[p].send[*at].at, c->receive[i].n};
		++*at;
		if (r->rank[p].pid == getpid())
			memcpy(to.iov_base, from.iov_base, to.iov_len);
		else if (process_vm_readv(r->rank[p].pid, &to, 1, &from, 1, 0) != (ssize_t)to.iov_len)
			return REMOTE;
	}
	r->rank[c->rank].done = round;
	for (int p = 0; p < c->size; p++)
		UNTIL(r->rank[p].done >= round);
	return 0;
}

static void *started(void *p)
{
	comm *c = p;
	c->state = start(c);
	c->working = 0;
	return 0;
}

static void *moved(void *p)
{
	comm *c = p;
	int code = move(c);
	c->sends = c->receives = 0;
	c->state = code;
	c->working = 0;
	return 0;
}

// begin begins work of a communicator. A thread has work of one at a time, which is stricter than NCCL.
static int begin(comm *c, void *(*f)(void *))
{
	static __thread comm *mine;
	pthread_t t;
	if (mine && mine != c && mine->working)
		return c->state = INTERNAL;
	mine = c;
	c->state = BUSY;
	c->working = 1;
	if (pthread_create(&t, 0, f, c))
		return INTERNAL;
	pthread_detach(t);
	return BUSY;
}

int ncclCommInitRankConfig(comm **to, int size, id u, int rank, config *f)
{
	if (f->size != 24 || f->magic != 0xcafebeef || f->version != 21400 || f->blocking || rank < 0 || rank >= size || size > RANKS)
		return INVALID;
	for (size_t i = 0; i < sizeof u; i += 8) // 8 bytes of a random id are never all 0
		if (!memcmp(u.b + i, "\0\0\0\0\0\0\0", 8))
			return INVALID;
	if (strcmp(getenv("NCCL_NVLS_ENABLE") ?: "", "0"))
		return USAGE;
	comm *c = calloc(1, sizeof *c);
	c->rank = rank, c->size = size;
	int n = sprintf(c->name, "/galfft-");
	for (int i = 0; i < 128; i += 8) // all parts of the id count
		n += sprintf(c->name + n, "%02x", u.b[i] ^ u.b[i + 7]);
	int fd = shm_open(c->name, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(room)))
		return INTERNAL;
	c->r = mmap(0, sizeof(room), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	live++;
	*to = c;
	return begin(c, started);
}

int ncclCommGetAsyncError(comm *c, int *state) { return *state = c->state, 0; }

int ncclGroupStart(void) { return group = 0, 0; }

static int add(op *list, int *n, const void *at, size_t bytes, int type, int peer, comm *c, void *s)
{
	if (type != 1 || peer < 0 || peer >= c->size || *n == SENDS || c->state)
		return INVALID;
	list[(*n)++] = (op){at, bytes, peer};
	group = c;
	stream = s;
	return 0;
}

int ncclSend(const void *at, size_t n, int type, int peer, comm *c, void *s) { return add(c->send, &c->sends, at, n, type, peer, c, s); }

int ncclRecv(void *at, size_t n, int type, int peer, comm *c, void *s) { return add(c->receive, &c->receives, at, n, type, peer, c, s); }

int ncclGroupEnd(void)
{
	static int (*synchronize)(void *);
	if (!group)
		return 0;
	if (!synchronize) {
		void *driver = dlopen(getenv("GALFFT_CUDA_DRIVER"), RTLD_NOW | RTLD_NOLOAD);
		synchronize = driver ? dlsym(driver, "cuStreamSynchronize") : 0;
	}
	if (!synchronize || synchronize(stream))
		return INTERNAL;
	return begin(group, moved);
}

static int end(comm *c)
{
	c->aborted = 1;
	while (c->working)
		usleep(50);
	if (c->rank == 0)
		shm_unlink(c->name);
	munmap(c->r, sizeof(room)); // c stays, for its thread
	live--;
	return 0;
}

// away is a call that does not return, as some do where a peer is gone.
static void away(void)
{
	for (;;)
		pause();
}

int ncclCommFinalize(comm *c)
{
	if (lost(c))
		away();
	return c->state ? INVALID : 0;
}

int ncclCommDestroy(comm *c) { return c->state ? INVALID : end(c); }

int ncclCommAbort(comm *c)
{
	if (getenv("EMULATE_NCCL_STUCK"))
		away();
	return end(c);
}
