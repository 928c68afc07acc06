// Batches of integers of m words of 32 bits, side by side, lowest words first. An integer has t threads, of which each
// has eight words of a piece of 8·t; pieces follow one after the other, with a carry from one to the next. t is at most
// 32, and then a warp has ⌊32/t⌋ integers, or a multiple of 32, and then a block has one. Carries between threads come
// from ballots: of the threads whose words overflow, and of those whose words are all ones. A block has one barrier for
// each sum, and none for t up to 32.
//
//	midint_flat     z, x, y, u32 words, u32 m, u32 halo, u32 op
//	    x + y, x − y or −x for op from 0 to 2, where words is those of all integers and m is a multiple of 8. A warp
//	    has 256 − halo words, wherever integers begin; halo is 0 where m divides 256, else 8, and then z is neither x
//	    nor y. Blocks of up to 256 threads, with 384 bytes of shared memory.
//	midint_flat_six z, x, y, u32 words, u32 m, u32 halo, u32 op
//	    6x + 10y, by six sums, for op of 3.
//	midint_flat_cut z, x, y, u32 words, u32 m, u32 halo, u32 op
//	midint_flat_six_cut
//	    The same for any m.
//	midint_apart    z, x, y, u64 n, u32 m, u32 each, u32 op
//	midint_apart_six
//	    The same by blocks of each integers. z may be x or y. Blocks of up to 512 threads, with 256 bytes of shared
//	    memory.
//	midint_product  z, x, y, u64 n, u32 m, u32 out, u32 t
//	    The out low words of x·y, for out up to 2m. A thread has columns k to k + 7 of each piece: for out = 2m and
//	    8·t = m these are k and k + m, which have m products together. z may be x or y where out is at most 8·t. 256
//	    bytes of shared memory and 16 for each thread.
//	midint_multiply z, x, y, u64 n, u32 m, u32 out, u32 t
//	    The same for m up to 8·t, where t is at most 256; z may be x or y where out is m. A thread has columns k to
//	    k + 7 and 8·t more, which have t tiles of 64 products together, the same for all. 256 bytes of shared memory
//	    and 80 for each thread.
//	midint_short    z, x, y, u64 n, u32 m, u32 out
//	    The same for m up to 16, with a thread an integer; z may be x or y where out is m. Blocks of up to 64 threads,
//	    with 160 bytes of shared memory for each.
//	midint_low_W    z, x, y, u64 n, u32 m, u32 out
//	    The same for m and out up to W, which is 24 or 32: low halves. Blocks of 32 threads, with 256(W + 4) bytes of
//	    shared memory.
//	midint_window_W z, x, y, u64 n, u32 m, u32 out
//	    The same for m up to W, which is 24 or 32; z may be x or y where out is m. A quarter of W columns a thread, and
//	    as many W further on. Warps take eight integers until none is left. Blocks of up to 64 threads, with 72 bytes of
//	    shared memory for each thread where W is 24, and 100 where it is 32.
//	midint_program  z, program, u32 operands, u32 count, u64 n, u32 m, u32 t
//	    Steps on integers of up to 8·t words, where t is at most 256, in one launch. z may be an operand. 256 bytes of
//	    shared memory, and for each thread 72, and 32 for each value.
//	midint_moduli   constants, moduli, u64 n, u32 m, u32 t
//	    What products modulo odd moduli of up to 8·t words take, for t up to 32: with R = 2^(256t), for each modulus m
//	    8·t words of it, as many of R² modulo it and of (m·k + 1)/2^128, and four of k, its negative inverse modulo
//	    2^128. Blocks of 32 threads, with 6144 bytes of shared memory.
//	midint_power    z, x, y, constants, table, u64 n, u32 m, u32 t, u32 length, u32 window, u32 digits, u32 shared
//	    x to the power of y modulo the moduli of constants, for x below them; where window is 0, x·y. Exponents have
//	    length words, of which digits windows of so many bits count. Bit 0 of shared is one modulus for all integers,
//	    and bit 1 one exponent. A block takes integers until none is left, and has 2^window rows of 1024 bytes of the
//	    table. Blocks and shared memory are those of midint_moduli; z may be x, and y where window is 0.
//	midint_order    u8 z, x, y, u64 n, u32 m, u32 t
//	    −1, 0 or 1, where x is below, equal to or above y; 256 bytes of shared memory.
#include "prelude.cuh"

#ifdef EMULATE
DEVICE u32 ballot(bool v) {
	u32 r = (u32)v << (thread() & 31);
	for (u32 m = 1; m < 32; m *= 2)
		r |= shuffle_xor(r, m);
	return r;
}
// meet waits for all lanes of the warp, and what they wrote to shared memory is seen after it.
DEVICE void meet() { ballot(true); }
// shuffle is the v of a lane, for which any lane may ask.
DEVICE u32 shuffle(u32 v, u32 lane) { return shuffle_xor(v, (thread() ^ lane) & 31); }
// ahead is x += y for N words; what leaves the last is lost.
template <u32 N> DEVICE void ahead(u32 *x, const u32 *y) {
	u64 s = 0;
	for (u32 i = 0; i < N; i++) {
		s = (s >> 32) + x[i] + y[i];
		x[i] = (u32)s;
	}
}
// chain is x += y + carry; it returns the carry out.
DEVICE u32 chain(u32 (&x)[8], const u32 (&y)[8], u32 carry) {
	u64 s = (u64)carry << 32;
	for (u32 i = 0; i < 8; i++) {
		s = (s >> 32) + x[i] + y[i];
		x[i] = (u32)s;
	}
	return (u32)(s >> 32);
}
// parted is chain with 1, or 0, as the carry into each word where one begins again: through of it is all ones, or 0, where
// force is 0, and the other way round where force is all ones.
DEVICE u32 parted(u32 (&x)[8], const u32 (&y)[8], u32 carry, const u32 (&through)[8], u32 force) {
	u64 s = carry;
	for (u32 i = 0; i < 8; i++) {
		if (i > 0)
			s = ((u64)through[i] + force + s) >> 32;
		s += (u64)x[i] + y[i];
		x[i] = (u32)s;
		s >>= 32;
	}
	return (u32)s;
}
// less_of is x −= y for N words; what leaves the last is lost.
template <u32 N> DEVICE void less_of(u32 *x, const u32 *y) {
	u64 s = 0;
	for (u32 i = 0; i < N; i++) {
		s = (u64)x[i] - y[i] - (s >> 63);
		x[i] = (u32)s;
	}
}
// lift is x += y for N words of x and two of y; it returns the carry out.
template <u32 N> DEVICE u32 lift(u32 *x, const u32 *y) {
	u64 s = 0;
	for (u32 i = 0; i < N; i++) {
		s = (s >> 32) + x[i] + (i < 2 ? y[i] : 0);
		x[i] = (u32)s;
	}
	return (u32)(s >> 32);
}
// Column is a sum of products of words.
struct Column {
	u64 low;
	u32 high;
	void add(u32 a, u32 b) {
		u64 p = (u64)a * b;
		low += p;
		high += low < p;
	}
};
// row is z += b·Σ a[2i]·2^(64i) for N words of a, with the carry into top, where it fits.
template <u32 N> DEVICE void row(u32 *z, const u32 *a, u32 b, u32 &top) {
	u64 carry = 0;
	for (u32 i = 0; i < N; i++) {
		u128 s = (u128)((u64)z[2 * i + 1] << 32 | z[2 * i]) + (u64)a[2 * i] * b + carry;
		z[2 * i] = (u32)s;
		z[2 * i + 1] = (u32)(s >> 32);
		carry = (u64)(s >> 64);
	}
	top += (u32)carry;
}
// carried is x += y + carry for N words; carry becomes the carry out.
template <u32 N> DEVICE void carried(u32 *x, const u32 *y, u32 &carry) {
	u64 s = (u64)carry << 32;
	for (u32 i = 0; i < N; i++) {
		s = (s >> 32) + x[i] + y[i];
		x[i] = (u32)s;
	}
	carry = (u32)(s >> 32);
}
// squares is z += Σ a[i]^2·2^(64i) for four words of a and 13 of z; what leaves the last is lost.
DEVICE void squares(u32 *z, const u32 *a) {
	u64 carry = 0;
	for (u32 i = 0; i < 13; i += 2) {
		u64 low = (u64)(i < 12 ? z[i + 1] : 0) << 32 | z[i];
		u128 s = (u128)low + (i < 8 ? (u64)a[i / 2] * a[i / 2] : 0) + carry;
		z[i] = (u32)s;
		if (i < 12)
			z[i + 1] = (u32)(s >> 32);
		carry = (u64)(s >> 64);
	}
}
#else
// Each pair of a lower and an upper half becomes one instruction of the device.
#define MULTIPLY(first, i)                                                                                             \
	first ".lo.cc.u32 %[l" #i "], %[a" #i "], %[b], %[l" #i "];\n\t"                                                    \
	      "madc.hi.cc.u32 %[h" #i "], %[a" #i "], %[b], %[h" #i "];\n\t"
#define PAIR(i) [l##i] "+&r"(z[2 * i]), [h##i] "+&r"(z[2 * i + 1])
#define FACTOR(i) [a##i] "r"(a[2 * i])
#define TEXT1 MULTIPLY("mad", 0)
#define TEXT2 TEXT1 MULTIPLY("madc", 1)
#define TEXT3 TEXT2 MULTIPLY("madc", 2)
#define TEXT4 TEXT3 MULTIPLY("madc", 3)
#define TEXT5 TEXT4 MULTIPLY("madc", 4)
#define TEXT6 TEXT5 MULTIPLY("madc", 5)
#define TEXT7 TEXT6 MULTIPLY("madc", 6)
#define TEXT8 TEXT7 MULTIPLY("madc", 7)
#define TEXT9 TEXT8 MULTIPLY("madc", 8)
#define TEXT10 TEXT9 MULTIPLY("madc", 9)
#define TEXT11 TEXT10 MULTIPLY("madc", 10)
#define TEXT12 TEXT11 MULTIPLY("madc", 11)
#define TEXT13 TEXT12 MULTIPLY("madc", 12)
#define TEXT14 TEXT13 MULTIPLY("madc", 13)
#define TEXT15 TEXT14 MULTIPLY("madc", 14)
#define TEXT16 TEXT15 MULTIPLY("madc", 15)
#define PAIRS1 PAIR(0)
#define PAIRS2 PAIRS1, PAIR(1)
#define PAIRS3 PAIRS2, PAIR(2)
#define PAIRS4 PAIRS3, PAIR(3)
#define PAIRS5 PAIRS4, PAIR(4)
#define PAIRS6 PAIRS5, PAIR(5)
#define PAIRS7 PAIRS6, PAIR(6)
#define PAIRS8 PAIRS7, PAIR(7)
#define PAIRS9 PAIRS8, PAIR(8)
#define PAIRS10 PAIRS9, PAIR(9)
#define PAIRS11 PAIRS10, PAIR(10)
#define PAIRS12 PAIRS11, PAIR(11)
#define PAIRS13 PAIRS12, PAIR(12)
#define PAIRS14 PAIRS13, PAIR(13)
#define PAIRS15 PAIRS14, PAIR(14)
#define PAIRS16 PAIRS15, PAIR(15)
#define FACTORS1 FACTOR(0)
#define FACTORS2 FACTORS1, FACTOR(1)
#define FACTORS3 FACTORS2, FACTOR(2)
#define FACTORS4 FACTORS3, FACTOR(3)
#define FACTORS5 FACTORS4, FACTOR(4)
#define FACTORS6 FACTORS5, FACTOR(5)
#define FACTORS7 FACTORS6, FACTOR(6)
#define FACTORS8 FACTORS7, FACTOR(7)
#define FACTORS9 FACTORS8, FACTOR(8)
#define FACTORS10 FACTORS9, FACTOR(9)
#define FACTORS11 FACTORS10, FACTOR(10)
#define FACTORS12 FACTORS11, FACTOR(11)
#define FACTORS13 FACTORS12, FACTOR(12)
#define FACTORS14 FACTORS13, FACTOR(13)
#define FACTORS15 FACTORS14, FACTOR(14)
#define FACTORS16 FACTORS15, FACTOR(15)
#define ROW(N)                                                                                                         \
	template <> DEVICE_METHOD void row<N>(u32 * z, const u32 *a, u32 b, u32 &top) {                                     \
		asm(TEXT##N "addc.u32 %[top], %[top], 0;" : PAIRS##N, [top] "+&r"(top) : FACTORS##N, [b] "r"(b));                 \
	}
// row is z += b·Σ a[2i]·2^(64i) for N words of a, with the carry into top, where it fits.
template <u32 N> DEVICE_METHOD void row(u32 *z, const u32 *a, u32 b, u32 &top);
ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8)
ROW(9) ROW(10) ROW(11) ROW(12) ROW(13) ROW(14) ROW(15) ROW(16)
DEVICE u32 ballot(bool v) { return __nvvm_vote_ballot_sync(0xffffffffu, v); }
DEVICE void meet() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
DEVICE u32 shuffle(u32 v, u32 lane) { return __nvvm_shfl_sync_idx_i32(0xffffffffu, v, lane, 0x1f); }
#define PLUS(i) "addc.cc.u32 %[x" #i "], %[x" #i "], %[y" #i "];\n\t"
#define SUM(i) [x##i] "+&r"(x[i])
#define TERM(i) [y##i] "r"(y[i])
template <u32 N> DEVICE_METHOD void ahead(u32 *x, const u32 *y);
template <> DEVICE_METHOD void ahead<5>(u32 *x, const u32 *y) {
	asm("add.cc.u32 %[x0], %[x0], %[y0];\n\t" PLUS(1) PLUS(2) PLUS(3) "addc.u32 %[x4], %[x4], %[y4];"
	    : SUM(0), SUM(1), SUM(2), SUM(3), SUM(4)
	    : TERM(0), TERM(1), TERM(2), TERM(3), TERM(4));
}
template <> DEVICE_METHOD void ahead<7>(u32 *x, const u32 *y) {
	asm("add.cc.u32 %[x0], %[x0], %[y0];\n\t" PLUS(1) PLUS(2) PLUS(3) PLUS(4) PLUS(5)
	    "addc.u32 %[x6], %[x6], %[y6];"
	    : SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), SUM(6)
	    : TERM(0), TERM(1), TERM(2), TERM(3), TERM(4), TERM(5), TERM(6));
}
template <> DEVICE_METHOD void ahead<9>(u32 *x, const u32 *y) {
	asm("add.cc.u32 %[x0], %[x0], %[y0];\n\t" PLUS(1) PLUS(2) PLUS(3) PLUS(4) PLUS(5) PLUS(6) PLUS(7)
	    "addc.u32 %[x8], %[x8], %[y8];"
	    : SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), SUM(6), SUM(7), SUM(8)
	    : TERM(0), TERM(1), TERM(2), TERM(3), TERM(4), TERM(5), TERM(6), TERM(7), TERM(8));
}
template <> DEVICE_METHOD void ahead<12>(u32 *x, const u32 *y) {
	asm("add.cc.u32 %[x0], %[x0], %[y0];\n\t" PLUS(1) PLUS(2) PLUS(3) PLUS(4) PLUS(5) PLUS(6) PLUS(7) PLUS(8) PLUS(9)
	        PLUS(10) "addc.u32 %[x11], %[x11], %[y11];"
	    : SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), SUM(6), SUM(7), SUM(8), SUM(9), SUM(10), SUM(11)
	    : TERM(0), TERM(1), TERM(2), TERM(3), TERM(4), TERM(5), TERM(6), TERM(7), TERM(8), TERM(9), TERM(10), TERM(11));
}
#define CARRIED(N, TEXT, ...)                                                                                           \
	template <> DEVICE_METHOD void carried<N>(u32 * x, const u32 *y, u32 &carry) {                                      \
		asm("add.cc.u32 %[c], %[c], 0xffffffff;\n\t" TEXT "addc.u32 %[c], 0, 0;" : [c] "+&r"(carry), __VA_ARGS__);       \
	}
// carried is x += y + carry for N words; carry becomes the carry out.
template <u32 N> DEVICE_METHOD void carried(u32 *x, const u32 *y, u32 &carry);
CARRIED(4, PLUS(0) PLUS(1) PLUS(2) PLUS(3), SUM(0), SUM(1), SUM(2), SUM(3) : TERM(0), TERM(1), TERM(2), TERM(3))
CARRIED(9, PLUS(0) PLUS(1) PLUS(2) PLUS(3) PLUS(4) PLUS(5) PLUS(6) PLUS(7) PLUS(8), SUM(0), SUM(1), SUM(2), SUM(3),
        SUM(4), SUM(5), SUM(6), SUM(7), SUM(8)
        : TERM(0), TERM(1), TERM(2), TERM(3), TERM(4), TERM(5), TERM(6), TERM(7), TERM(8))
// squares is z += Σ a[i]^2·2^(64i) for four words of a and 13 of z; what leaves the last is lost.
DEVICE void squares(u32 *z, const u32 *a) {
	asm("mad.lo.cc.u32 %0, %13, %13, %0;\n\tmadc.hi.cc.u32 %1, %13, %13, %1;\n\t"
	    "madc.lo.cc.u32 %2, %14, %14, %2;\n\tmadc.hi.cc.u32 %3, %14, %14, %3;\n\t"
	    "madc.lo.cc.u32 %4, %15, %15, %4;\n\tmadc.hi.cc.u32 %5, %15, %15, %5;\n\t"
	    "madc.lo.cc.u32 %6, %16, %16, %6;\n\tmadc.hi.cc.u32 %7, %16, %16, %7;\n\t"
	    "addc.cc.u32 %8, %8, 0;\n\taddc.cc.u32 %9, %9, 0;\n\taddc.cc.u32 %10, %10, 0;\n\taddc.cc.u32 %11, %11, 0;\n\t"
	    "addc.u32 %12, %12, 0;"
	    : "+&r"(z[0]), "+&r"(z[1]), "+&r"(z[2]), "+&r"(z[3]), "+&r"(z[4]), "+&r"(z[5]), "+&r"(z[6]), "+&r"(z[7]),
	      "+&r"(z[8]), "+&r"(z[9]), "+&r"(z[10]), "+&r"(z[11]), "+&r"(z[12])
	    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]));
}
#define MINUS(i) "subc.cc.u32 %[x" #i "], %[x" #i "], %[y" #i "];\n\t"
template <u32 N> DEVICE_METHOD void less_of(u32 *x, const u32 *y);
template <> DEVICE_METHOD void less_of<8>(u32 *x, const u32 *y) {
	asm("sub.cc.u32 %[x0], %[x0], %[y0];\n\t" MINUS(1) MINUS(2) MINUS(3) MINUS(4) MINUS(5) MINUS(6)
	    "subc.u32 %[x7], %[x7], %[y7];"
	    : SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), SUM(6), SUM(7)
	    : TERM(0), TERM(1), TERM(2), TERM(3), TERM(4), TERM(5), TERM(6), TERM(7));
}
template <> DEVICE_METHOD void less_of<10>(u32 *x, const u32 *y) {
	asm("sub.cc.u32 %[x0], %[x0], %[y0];\n\t" MINUS(1) MINUS(2) MINUS(3) MINUS(4) MINUS(5) MINUS(6) MINUS(7) MINUS(8)
	    "subc.u32 %[x9], %[x9], %[y9];"
	    : SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), SUM(6), SUM(7), SUM(8), SUM(9)
	    : TERM(0), TERM(1), TERM(2), TERM(3), TERM(4), TERM(5), TERM(6), TERM(7), TERM(8), TERM(9));
}
template <> DEVICE_METHOD void less_of<13>(u32 *x, const u32 *y) {
	asm("sub.cc.u32 %[x0], %[x0], %[y0];\n\t" MINUS(1) MINUS(2) MINUS(3) MINUS(4) MINUS(5) MINUS(6) MINUS(7) MINUS(8)
	        MINUS(9) MINUS(10) MINUS(11) "subc.u32 %[x12], %[x12], %[y12];"
	    : SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), SUM(6), SUM(7), SUM(8), SUM(9), SUM(10), SUM(11), SUM(12)
	    : TERM(0), TERM(1), TERM(2), TERM(3), TERM(4), TERM(5), TERM(6), TERM(7), TERM(8), TERM(9), TERM(10), TERM(11),
	      TERM(12));
}
#define CARRY(i) "addc.cc.u32 %[x" #i "], %[x" #i "], 0;\n\t"
template <u32 N> DEVICE_METHOD u32 lift(u32 *x, const u32 *y);
template <> DEVICE_METHOD u32 lift<6>(u32 *x, const u32 *y) {
	u32 out;
	asm("add.cc.u32 %[x0], %[x0], %[y0];\n\t" PLUS(1) CARRY(2) CARRY(3) CARRY(4) CARRY(5) "addc.u32 %[out], 0, 0;"
	    : SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), [out] "=r"(out)
	    : TERM(0), TERM(1));
	return out;
}
template <> DEVICE_METHOD u32 lift<8>(u32 *x, const u32 *y) {
	u32 out;
	asm("add.cc.u32 %[x0], %[x0], %[y0];\n\t" PLUS(1) CARRY(2) CARRY(3) CARRY(4)
	    CARRY(5) CARRY(6) CARRY(7) "addc.u32 %[out], 0, 0;"
	    : SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), SUM(6), SUM(7), [out] "=r"(out)
	    : TERM(0), TERM(1));
	return out;
}
DEVICE u32 chain(u32 (&x)[8], const u32 (&y)[8], u32 carry) {
	u32 out;
	asm("{.reg .u32 t;\n\tadd.cc.u32 t, %17, 0xffffffff;\n\t"
	    "addc.cc.u32 %0, %0, %9;\n\taddc.cc.u32 %1, %1, %10;\n\taddc.cc.u32 %2, %2, %11;\n\taddc.cc.u32 %3, %3, %12;\n\t"
	    "addc.cc.u32 %4, %4, %13;\n\taddc.cc.u32 %5, %5, %14;\n\taddc.cc.u32 %6, %6, %15;\n\taddc.cc.u32 %7, %7, %16;\n\t"
	    "addc.u32 %8, 0, 0;}"
	    : "+&r"(x[0]), "+&r"(x[1]), "+&r"(x[2]), "+&r"(x[3]), "+&r"(x[4]), "+&r"(x[5]), "+&r"(x[6]), "+&r"(x[7]),
	      "=r"(out)
	    : "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]), "r"(carry));
	return out;
}
// A sum of through and force leaves a carry to the next word, and no other result.
DEVICE u32 parted(u32 (&x)[8], const u32 (&y)[8], u32 carry, const u32 (&through)[8], u32 force) {
	u32 out;
	asm("{.reg .u32 t;\n\tadd.cc.u32 t, %17, 0xffffffff;\n\taddc.cc.u32 %0, %0, %9;\n\t"
	    "addc.cc.u32 t, %18, %25;\n\taddc.cc.u32 %1, %1, %10;\n\taddc.cc.u32 t, %19, %25;\n\taddc.cc.u32 %2, %2, %11;\n\t"
	    "addc.cc.u32 t, %20, %25;\n\taddc.cc.u32 %3, %3, %12;\n\taddc.cc.u32 t, %21, %25;\n\taddc.cc.u32 %4, %4, %13;\n\t"
	    "addc.cc.u32 t, %22, %25;\n\taddc.cc.u32 %5, %5, %14;\n\taddc.cc.u32 t, %23, %25;\n\taddc.cc.u32 %6, %6, %15;\n\t"
	    "addc.cc.u32 t, %24, %25;\n\taddc.cc.u32 %7, %7, %16;\n\taddc.u32 %8, 0, 0;}"
	    : "+&r"(x[0]), "+&r"(x[1]), "+&r"(x[2]), "+&r"(x[3]), "+&r"(x[4]), "+&r"(x[5]), "+&r"(x[6]), "+&r"(x[7]),
	      "=r"(out)
	    : "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]), "r"(carry),
	      "r"(through[1]), "r"(through[2]), "r"(through[3]), "r"(through[4]), "r"(through[5]), "r"(through[6]),
	      "r"(through[7]), "r"(force));
	return out;
}
struct Column {
	u32 l, m, high;
	DEVICE_METHOD void add(u32 a, u32 b) {
		asm("mad.lo.cc.u32 %0, %3, %4, %0;\n\tmadc.hi.cc.u32 %1, %3, %4, %1;\n\taddc.u32 %2, %2, 0;"
		    : "+&r"(l), "+&r"(m), "+r"(high)
		    : "r"(a), "r"(b));
	}
};
#endif

template <u32 N> DEVICE void row(u32 *z, const u32 *a, u32 b) { row<N>(z, a, b, z[2 * N]); }

DEVICE u64 low_of(const Column &c) {
#ifdef EMULATE
	return c.low;
#else
	return (u64)c.m << 32 | c.l;
#endif
}

// Place is where a thread stands.
struct Place {
	u64 integer;
	u32 at, t, lane, first; // of its integer: the thread, the threads, and the lane of the first
	u32 tops;               // lanes that are the last of an integer, for t up to 32
	bool live;
};

DEVICE Place place(u64 n, u32 t) {
	Place p;
	p.t = t;
	p.lane = thread() & 31;
	if (t <= 32) {
		u32 each = 32 / t, segment = p.lane / t;
		p.integer = (index() >> 5) * each + segment;
		p.first = segment * t;
		p.at = p.lane - p.first;
		p.live = segment < each && p.integer < n;
		p.tops = ballot(p.at == t - 1);
	} else {
		p.integer = block();
		p.first = 0;
		p.at = thread();
		p.live = true;
		p.tops = 0;
	}
	return p;
}

// rise is x += in, for in of 0 or 1, up to the first word but the lowest with a bit in starts.
DEVICE void rise(u32 (&x)[8], u32 in, u32 starts = 0) {
	x[0] += in;
	if (x[0] < in) // hardly ever
#pragma unroll
		for (u32 j = 1; j < 8; j++) {
			in &= ~(starts >> j);
			x[j] += in;
			in &= x[j] == 0;
		}
}

// sum is x += y + carry for all pieces of a block, where carry is what comes into the first word of a piece; it returns
// what leaves the last. turn chooses shared memory, and is another in the next call.
DEVICE u32 sum(u32 (&x)[8], const u32 (&y)[8], u32 carry, const Place &p, u32 &turn) {
	u32 out = chain(x, y, p.at == 0 ? carry : 0);
	u32 ones = x[0] & x[1] & x[2] & x[3] & x[4] & x[5] & x[6] & x[7];
	u32 g = ballot(p.live && out != 0), f = ballot(p.live && ones == 0xffffffffu);
	if (p.t <= 32) {
		u32 through = f & ~p.tops, in = through ^ (through + ((g & ~p.tops) << 1));
		rise(x, in >> p.lane & 1);
		return (g | (f & in)) >> ((p.first + p.t - 1) & 31) & 1;
	}
	u64 s = (u64)f + ((u64)g << 1);
	u32 *shares = shared<u32>() + 32 * (turn & 1), warps = p.t / 32, warp = thread() >> 5;
	turn++;
	if (p.lane == 0)
		shares[warp] = (u32)(s >> 32) | (f == 0xffffffffu ? 2 : 0);
	barrier();
	u32 share = p.lane < warps ? shares[p.lane] : 0;
	u64 through = ballot(share == 2), all = through + ((u64)ballot((share & 1) != 0) << 1);
	s += (through ^ all) >> warp & 1;
	rise(x, (u32)((f ^ (u32)s) >> p.lane) & 1);
	return (u32)((through ^ all) >> warps) & 1;
}

struct __attribute__((aligned(16))) Four {
	u32 w[4];
};

// load reads eight words from i on of m, 0 behind them.
DEVICE void load(u32 (&w)[8], const u32 *x, u32 i, u32 m, bool live) {
	if (live && m % 4 == 0 && i + 8 <= m) {
		Four a = *(const Four *)(x + i), b = *(const Four *)(x + i + 4);
#pragma unroll
		for (u32 j = 0; j < 4; j++)
			w[j] = a.w[j], w[4 + j] = b.w[j];
		return;
	}
#pragma unroll
	for (u32 j = 0; j < 8; j++)
		w[j] = live && i + j < m ? x[i + j] : 0;
}

DEVICE void store(u32 *z, const u32 (&w)[8], u32 i, u32 m, bool live) {
	if (live && m % 4 == 0 && i + 8 <= m) {
		*(Four *)(z + i) = Four{{w[0], w[1], w[2], w[3]}};
		*(Four *)(z + i + 4) = Four{{w[4], w[5], w[6], w[7]}};
		return;
	}
#pragma unroll
	for (u32 j = 0; j < 8; j++)
		if (live && i + j < m)
			z[i + j] = w[j];
}

DEVICE void copy(u32 (&z)[8], const u32 (&x)[8]) {
#pragma unroll
	for (u32 j = 0; j < 8; j++)
		z[j] = x[j];
}

// complement makes a sum, with 1 added, of a difference or, for op of 2, of what a is taken from 0.
DEVICE void complement(u32 (&a)[8], u32 (&b)[8], u32 op) {
#pragma unroll
	for (u32 j = 0; j < 8; j++) {
		b[j] = ~(op == 1 ? b[j] : a[j]);
		a[j] = op == 1 ? a[j] : 0;
	}
}

// sixfold is the last five sums of 6x + 10y, of x + y and y, with carries of their own.
template <class F> DEVICE void sixfold(u32 (&a)[8], const u32 (&b)[8], u32 (&carry)[6], F sum) {
	u32 u[8];
	copy(u, a);
	sum(a, u, carry[1]);
	sum(a, b, carry[2]);
	copy(u, a);
	sum(u, a, carry[3]);
	sum(a, u, carry[4]);
	sum(a, b, carry[5]);
}

// Flat is eight words of integers side by side, from at on, of those from first to below until, and sums of them.
template <bool cut> struct Flat {
	u32 at, first, until, lane, turn;
	u32 starts, tops;    // of the eight, those that are the first of an integer; lanes whose last word is that of one
	u32 through[8];      // what parted takes
	u32 inject, force;   // 1 where it is added to each integer, and as a mask
	bool whole, unsure;  // all eight are there; see sum

	DEVICE_METHOD Flat(bool inject, u32 first, u32 until)
	    : first(first), until(until), lane(thread() & 31), turn(0), inject(inject), force(0u - inject) {}
	DEVICE_METHOD void find(u32 m) {
		bool live = at < until;
		u32 r = live && at >= first ? (at - first) % m : 0, to = at < first ? first - at : r == 0 ? 0 : m - r;
		whole = live && at >= first && until - at >= 8;
		starts = 0;
		unsure = false;
		if constexpr (cut) {
			if (live)
				for (u32 i = to; i <= 8; i += m)
					starts |= 1u << i;
#pragma unroll
			for (u32 j = 1; j < 8; j++)
				through[j] = ((starts >> j & 1) - 1) ^ force;
		} else if (live) {
			starts = (r == 0) | (u32)(r + 8 == m) << 8;
		}
		tops = ballot(starts >> 8 != 0);
		starts &= 0xff;
	}
	DEVICE_METHOD bool has(u32 j) const { return at < until && j < until - at && (at >= first || j >= first - at); }
	DEVICE_METHOD void read(u32 (&w)[8], const u32 *from) const {
		if (whole) {
			Four v = *(const Four *)(from + at), u = *(const Four *)(from + at + 4);
#pragma unroll
			for (u32 j = 0; j < 4; j++)
				w[j] = v.w[j], w[4 + j] = u.w[j];
			return;
		}
#pragma unroll
		for (u32 j = 0; j < 8; j++)
			w[j] = has(j) ? from[at + j] : 0;
	}
	DEVICE_METHOD void write(u32 *to, const u32 (&w)[8]) const {
		if (whole) {
			*(Four *)(to + at) = Four{{w[0], w[1], w[2], w[3]}};
			*(Four *)(to + at + 4) = Four{{w[4], w[5], w[6], w[7]}};
			return;
		}
#pragma unroll
		for (u32 j = 0; j < 8; j++)
			if (has(j))
				to[at + j] = w[j];
	}
	// enter is f + 2g, where f is lanes that a carry goes through and g those that it leaves. Where wide is set it is
	// for all warps of the block, with carry into the first, which becomes what leaves the last.
	template <bool wide> DEVICE_METHOD u32 enter(u32 f, u32 g, u32 &carry) {
		u64 s = (u64)f + ((u64)g << 1);
		if constexpr (wide) {
			u32 *shares = shared<u32>() + 32 * (turn++ & 1), warps = threads() / 32, warp = thread() >> 5;
			if (lane == 0)
				shares[warp] = (u32)(s >> 32) | (f == 0xffffffffu ? 2 : 0);
			barrier();
			u32 share = lane < warps ? shares[lane] : 0;
			u64 through = ballot(share == 2), all = through + ((u64)ballot((share & 1) != 0) << 1) + carry;
			s += (through ^ all) >> warp & 1;
			carry = (u32)((through ^ all) >> warps) & 1;
		}
		return (u32)s;
	}
	// sum is x += y, with one added to each integer for in of 1. unsure is set where a carry into the second word would
	// leave the eight.
	template <bool wide> DEVICE_METHOD void sum(u32 (&x)[8], const u32 (&y)[8], u32 in, u32 &carry) {
		u32 out = cut ? parted(x, y, starts & in, through, force) : chain(x, y, starts & in);
		u32 upper = x[1] & x[2] & x[3] & x[4] & x[5] & x[6] & x[7];
		unsure |= upper == 0xffffffffu;
		bool all = (upper & x[0]) == 0xffffffffu && (!cut || starts < 2);
		u32 g = ballot(out != 0) & ~tops, f = ballot(all) & ~tops;
		rise(x, (f ^ enter<wide>(f, g, carry)) >> lane & 1, cut ? starts : 0);
	}
	template <bool six, bool wide>
	DEVICE_METHOD void compute(u32 (&a)[8], const u32 *x, const u32 *y, u32 op, u32 (&carry)[6]) {
		u32 b[8];
		read(a, x);
		if (six || op != 2)
			read(b, y);
		if (inject)
			complement(a, b, op);
		sum<wide>(a, b, inject, carry[0]);
		if constexpr (six)
			sixfold(a, b, carry, [&](u32 (&v)[8], const u32 (&w)[8], u32 &in) { sum<wide>(v, w, 0, in); });
	}
};

// flat has a warp for 256 words of all integers side by side, of which the first halo, 8 or none, are the last of the
// warp before: what they make of a carry from below is known but where they are all ones, and hardly ever they are. Then
// the block begins again, with all words of the integer up to there. z is neither x nor y where halo is not 0, as other
// warps read them.
template <bool six, bool cut> DEVICE void flat(u32 *z, const u32 *x, const u32 *y, u32 words, u32 m, u32 halo, u32 op) {
	u32 each = 256 - halo, first = block() * (threads() / 32) * each, carry[6] = {}, a[8];
	Flat<cut> p(!six && op != 0, 0, words);
	p.at = first + (thread() >> 5) * each - halo + 8 * p.lane;
	p.find(m);
	p.template compute<six, false>(a, x, y, op, carry);
	bool unsure = p.lane == 0 && p.at < words && p.starts == 0 && (p.tops & 1) == 0 && p.unsure;
	if (8 * p.lane >= halo)
		p.write(z, a);
	if (halo == 0)
		return;
	u32 *again = shared<u32>() + 64;
	if (p.lane == 0)
		again[thread() >> 5] = unsure;
	barrier();
	if (ballot(p.lane < threads() / 32 && again[p.lane] != 0) == 0)
		return;
	p.until = min(words, first + threads() / 32 * each);
#pragma unroll 1
	for (u32 from = (first - first % m) & ~7u; from < p.until; from += 8 * threads()) {
		p.at = from + 8 * thread();
		p.find(m);
		p.template compute<six, true>(a, x, y, op, carry);
		if (p.at >= first)
			p.write(z, a);
	}
}

KERNEL(256, 4) void midint_flat(u32 *z, const u32 *x, const u32 *y, u32 words, u32 m, u32 halo, u32 op) {
	flat<false, false>(z, x, y, words, m, halo, op);
}
KERNEL(256, 4) void midint_flat_cut(u32 *z, const u32 *x, const u32 *y, u32 words, u32 m, u32 halo, u32 op) {
	flat<false, true>(z, x, y, words, m, halo, op);
}
KERNEL(256, 4) void midint_flat_six(u32 *z, const u32 *x, const u32 *y, u32 words, u32 m, u32 halo, u32 op) {
	flat<true, false>(z, x, y, words, m, halo, op);
}
KERNEL(256, 5) void midint_flat_six_cut(u32 *z, const u32 *x, const u32 *y, u32 words, u32 m, u32 halo, u32 op) {
	flat<true, true>(z, x, y, words, m, halo, op);
}

// apart has a block for so many integers as each is, and a barrier for each sum. z may be x or y.
template <bool six> DEVICE void apart(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 each, u32 op) {
	u64 integer = (u64)block() * each, from = integer * m, base = from & ~(u64)7;
	u32 first = (u32)(from - base), carry[6] = {}, a[8];
	Flat<true> p(!six && op != 0, first, first + (u32)(n - integer < each ? n - integer : each) * m);
#pragma unroll 1
	for (p.at = 8 * thread(); p.at - 8 * thread() < p.until; p.at += 8 * threads()) {
		p.find(m);
		p.template compute<six, true>(a, x + base, y + base, op, carry);
		p.write(z + base, a);
	}
}
KERNEL(512, 3) void midint_apart(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 each, u32 op) {
	apart<false>(z, x, y, n, m, each, op);
}
KERNEL(512, 2) void midint_apart_six(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 each, u32 op) {
	apart<true>(z, x, y, n, m, each, op);
}

// ripple is the words of eight columns, and what leaves them.
DEVICE u64 ripple(u32 (&w)[8], const Column (&c)[8]) {
	u64 rest = 0;
#pragma unroll
	for (u32 q = 0; q < 8; q++) {
		u64 s = low_of(c[q]) + rest;
		w[q] = (u32)s;
		rest = s >> 32 | (u64)(c[q].high + (s < rest)) << 32;
	}
	return rest;
}

KERNEL(256) void midint_product(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out, u32 t) {
	Place p = place(n, t);
	const u32 *a = x + p.integer * m, *b = y + p.integer * m;
	u64 *above = shared<u64>() + 32; // of each thread, for pieces in turns
	u32 turn = 0, carry = 0, piece = 0;
	for (u32 from = 0; from < out; from += 8 * t, piece++) {
		u32 k = from + 8 * p.at;
		Column c[8] = {};
		if (p.live && k < out) {
			u32 least = k >= m ? (k - m + 1) & ~7u : 0, most = k + 8 < m ? k + 8 : m;
#pragma unroll 1
			for (u32 i = least; i < most; i += 8) {
				u32 v[8], w[16];
#pragma unroll
				for (u32 j = 0; j < 8; j++)
					v[j] = i + j < m ? a[i + j] : 0;
#pragma unroll
				for (u32 j = 0; j < 15; j++) // those from k − i − 7 on, which wraps where it is negative
					w[j] = k - i - 7 + j < m ? b[k - i - 7 + j] : 0;
#pragma unroll
				for (u32 r = 0; r < 8; r++)
#pragma unroll
					for (u32 q = 0; q < 8; q++)
						c[q].add(v[r], w[7 + q - r]);
			}
		}
		u32 low[8], high[8] = {};
		u64 rest = ripple(low, c);
		u64 *mine = above + threads() * (piece & 1), *before = above + threads() * ((piece & 1) ^ 1);
		mine[thread()] = rest;
		barrier(); // from here on nobody reads the operands of this piece
		u64 in = 0;
		if (p.at > 0)
			in = mine[thread() - 1];
		else if (piece > 0 && p.live)
			in = before[thread() + t - 1];
		high[0] = (u32)in;
		high[1] = (u32)(in >> 32);
		carry = sum(low, high, carry, p, turn);
		store(z + p.integer * out, low, k, out, p.live);
		barrier(); // before the next piece but one takes its place
	}
}

// Walk goes over words, or fours, of rows of so many, by steps of a block.
struct Walk {
	u32 row, at, rows, each;
	DEVICE_METHOD Walk(u32 each) : row(thread() / each), at(thread() % each), rows(threads() / each), each(each) {
		step = threads() % each;
	}
	DEVICE_METHOD void next() {
		row += rows;
		at += step;
		if (at >= each)
			at -= each, row++;
	}
	u32 step;
};

// rows are those from J on of a tile.
template <u32 N, u32 J> DEVICE void rows(u32 *even, u32 *odd, const u32 *v, const u32 *b) {
	if constexpr (J < 16) {
		constexpr u32 each = N == 32 ? 8 : (16 - J) / 2, other = N == 32 ? 8 : (17 - J) / 2;
		u32 w = b[J];
		if constexpr (J % 2 == 0) {
			row<each>(even + J, v, w);
			row<each>(odd + J, v + 1, w);
		} else {
			row<other>(odd + J - 1, v, w);
			if constexpr (each > 0)
				row<each>(even + J + 1, v + 1, w);
		}
		rows<N, J + 1>(even, odd, v, b);
	}
}

// tile is s = a·b, of sixteen words each. Products whose lowest word is at
// an even place, and those at an odd one, are apart, so that each chain of carries adds whole products. The upper words
// of even and of odd are 0 before a row reaches them, so that a carry ends in the first of them. Where N is 16 only the
// lower half is right.
template <u32 N> DEVICE void tile(u32 (&s)[32], const u32 *a, const u32 *b) {
	u32 even[34], odd[34], v[16]; // odd[i] is at place i + 1
#pragma unroll
	for (u32 i = 0; i < 16; i++)
		v[i] = a[i];
#pragma unroll
	for (u32 i = 0; i < 34; i++)
		even[i] = odd[i] = 0;
	rows<N, 0>(even, odd, v, b);
	u32 carry = 0; // one instruction a word: sums of 64 bits took as long as a third of the products
#pragma unroll
	for (u32 i = 0; i < N; i += 8) {
		u32 w[8], other[8];
#pragma unroll
		for (u32 j = 0; j < 8; j++)
			w[j] = even[i + j], other[j] = i + j > 0 ? odd[i + j - 1] : 0;
		carry = chain(w, other, carry);
#pragma unroll
		for (u32 j = 0; j < 8; j++)
			s[i + j] = w[j];
	}
}

// put and get have eight words of each thread in shared memory, in two planes, so that banks do not collide.
DEVICE void put(Four *to, u32 i, const u32 (&w)[8]) {
	to[i] = Four{{w[0], w[1], w[2], w[3]}};
	to[threads() + i] = Four{{w[4], w[5], w[6], w[7]}};
}
DEVICE void get(u32 (&w)[8], const Four *from, u32 i) {
	Four a = from[i], b = from[threads() + i];
#pragma unroll
	for (u32 j = 0; j < 4; j++)
		w[j] = a.w[j], w[4 + j] = b.w[j];
}

// Rows is sums of N columns of products: products at even columns, and those at odd ones, are apart, so that each chain
// of carries adds whole products. Carries that leave end in the last words.
template <u32 N> struct Rows {
	u32 even[N + 1], odd[N + 1]; // odd[i] is at place i + 1

	// all adds v·w for N words of v and the window of w whose word N + q − r has column q with word r.
	DEVICE_METHOD void all(const u32 *v, const u32 *w) {
#pragma unroll
		for (u32 r = 0; r < N; r++) {
			row<N / 2>(even, w + N - r, v[r]);
			row<N / 2>(odd, w + N + 1 - r, v[r]);
		}
	}
	// lower has the columns from r on of each word r, and upper those below; upper is the first to add anything.
	template <u32 r = 0> DEVICE_METHOD void lower(const u32 *v, const u32 *w) {
		if constexpr (r < N) {
			constexpr u32 e = (r + 1) & ~1u, o = r | 1;
			if constexpr (e < N)
				row<(N - e) / 2>(even + e, w + N + e - r, v[r]);
			row<(N + 1 - o) / 2>(odd + o - 1, w + N + o - r, v[r]);
			lower<r + 1>(v, w);
		}
	}
	template <u32 r = 1> DEVICE_METHOD void upper(const u32 *v, const u32 *w) {
		if constexpr (r < N) {
			row<(r + 1) / 2>(even, w + N - r, v[r]);
			if constexpr (r > 1)
				row<r / 2>(odd, w + N + 1 - r, v[r]);
			upper<r + 1>(v, w);
		}
	}
	// quick is words by one chain, for N of 6 and 8.
	DEVICE_METHOD void quick(u32 (&to)[N + 2]) const {
#pragma unroll
		for (u32 i = 0; i <= N; i++)
			to[i] = even[i];
		to[N + 1] = 0;
		ahead<N + 1>(to + 1, odd);
	}
	// words is all that was added.
	DEVICE_METHOD void words(u32 (&to)[N + 2]) const {
		u64 carry = 0;
		to[0] = even[0];
#pragma unroll
		for (u32 i = 1; i < N + 2; i++) {
			carry += (u64)odd[i - 1] + (i < N + 1 ? even[i] : 0);
			to[i] = (u32)carry;
			carry >>= 32;
		}
	}
};

// At step s a thread multiplies eight words of x from 8(at + s) on, which go round, by the words of y whose products are
// its upper columns, and, from step t − at on, its lower ones: so all threads have the same words of y in a step. What
// it has at that step is the upper columns, and what comes then the lower ones. a and b are all words of the block, by
// put, and base is the first thread of the integer.
DEVICE void columns(u32 (&low)[10], u32 (&high)[10], const Four *a, const Four *b, const Place &p) {
	u32 v[8], w[8], base = thread() - p.at;
	Rows<8> sums = {};
	u32 window[16];
#pragma unroll
	for (u32 q = 0; q < 8; q++)
		window[8 + q] = 0;
	get(v, a, thread());
	get(w, b, base + p.t - 1);
#pragma unroll
	for (u32 q = 0; q < 8; q++)
		window[q] = w[q];
	sums.upper(v, window);
	u32 i = p.at;
#pragma unroll 1
	for (u32 s = 1; s < p.t; s++) {
		i = i + 1 < p.t ? i + 1 : 0;
		if (i == 0)
			sums.words(high);
		get(v, a, base + i);
		get(w, b, base + p.t - 1 - s);
#pragma unroll
		for (u32 q = 0; q < 8; q++)
			window[8 + q] = window[q], window[q] = w[q];
		sums.all(v, window);
	}
	if (p.at == 0)
		sums.words(high);
	get(v, a, thread());
#pragma unroll
	for (u32 q = 0; q < 8; q++)
		window[8 + q] = window[q];
	sums.lower(v, window);
	sums.words(low);
	u64 borrow = 0;
#pragma unroll
	for (u32 q = 0; q < 10; q++) {
		borrow = (u64)low[q] - high[q] - borrow;
		low[q] = (u32)borrow;
		borrow = borrow >> 63;
	}
}

KERNEL(256) void midint_multiply(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out, u32 t) {
	Place p = place(n, t);
	u64 *above = shared<u64>() + 32;
	Four *a = (Four *)(above + 2 * threads()), *b = a + 2 * threads();
	u32 v[8], w[8], turn = 0;
	load(v, x + p.integer * m, 8 * p.at, m, p.live);
	load(w, y + p.integer * m, 8 * p.at, m, p.live);
	put(a, thread(), v);
	put(b, thread(), w);
	barrier();
	u32 low[10] = {}, high[10] = {};
	if (p.live)
		columns(low, high, a, b, p);
	above[thread()] = (u64)low[9] << 32 | low[8];
	above[threads() + thread()] = (u64)high[9] << 32 | high[8];
	barrier();
	u32 in[8] = {};
	u64 low_in = p.live && p.at > 0 ? above[thread() - 1] : 0;
	in[0] = (u32)low_in;
	in[1] = (u32)(low_in >> 32);
#pragma unroll
	for (u32 q = 0; q < 8; q++)
		v[q] = low[q], w[q] = high[q];
	u32 carry = sum(v, in, 0, p, turn);
	store(z + p.integer * out, v, 8 * p.at, out, p.live);
	if (out > 8 * t) {
		u64 high_in = !p.live ? 0 : p.at > 0 ? above[threads() + thread() - 1] : above[thread() - p.at + t - 1];
		in[0] = (u32)high_in;
		in[1] = (u32)(high_in >> 32);
		sum(w, in, carry, p, turn);
		store(z + p.integer * out, w, 8 * (t + p.at), out, p.live);
	}
}

// window has four threads an integer of up to 4N words, of which each has columns N·at to N·at + N − 1 of the product,
// and as many from 4N further on, which have 4N words of x together, the same for all: x goes round, as in columns. A
// warp has eight integers at a time, and the words of the next eight are under way while it multiplies. Full is m of 4N
// and out of 8N.
template <u32 N, bool Full> DEVICE void window(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {
	constexpr u32 T = 4, W = T * N, each = 32 / T, unit = N % 4 == 0 ? 4 : 2;
	constexpr u32 stride = 3 * W + (N == 8 ? 4 : 0); // so that banks do not collide
	struct __attribute__((aligned(4 * unit))) Unit {
		u32 w[unit];
	};
	u32 lane = thread() & 31, segment = lane / T, at = lane % T, words = Full ? W : m, results = Full ? 2 * W : out;
	// of each integer x twice, so that it goes round without a test, and y
	u32 *a = shared<u32>() + ((thread() >> 5) * each + segment) * stride, *b = a + 2 * W;
	a += N * at;
	constexpr u32 tops = 0x88888888;
	u32 p[2 * N] = {}; // of x and of y
	u64 first = index() / 32 * each, step = (u64)blocks() * threads() / 32 * each;
	auto fetch = [&](u64 first) __attribute__((always_inline)) {
		u64 integer = first + segment;
		if (integer >= n)
			return;
		const u32 *f = x + integer * words + N * at, *g = y + integer * words + N * at;
		if (words % unit == 0) {
#pragma unroll
			for (u32 i = 0; i < N; i += unit)
				if (Full || N * at + i < words) {
					Unit v = *(const Unit *)(f + i), w = *(const Unit *)(g + i);
#pragma unroll
					for (u32 j = 0; j < unit; j++)
						p[i + j] = v.w[j], p[N + i + j] = w.w[j];
				}
			return;
		}
#pragma unroll
		for (u32 i = 0; i < N; i++)
			if (N * at + i < words)
				p[i] = f[i], p[N + i] = g[i];
	};
	auto read = [&](u32 *to, const u32 *from) __attribute__((always_inline)) {
#pragma unroll
		for (u32 i = 0; i < N; i += unit) {
			Unit v = *(const Unit *)(from + i);
#pragma unroll
			for (u32 j = 0; j < unit; j++)
				to[i + j] = v.w[j];
		}
	};
	auto write = [&](u32 *to, const u32 *from, u32 words) __attribute__((always_inline)) {
#pragma unroll
		for (u32 i = 0; i < N; i += unit)
			if (i < words) {
				Unit v;
#pragma unroll
				for (u32 j = 0; j < unit; j++)
					v.w[j] = from[i + j];
				*(Unit *)(to + i) = v;
			}
	};
	auto leave = [&](const u32 *w, u64 integer, u32 i) __attribute__((always_inline)) {
		if (integer >= n || i >= results)
			return;
		u32 *to = z + integer * results + i;
		if (results % unit == 0) {
			write(to, w, Full ? N : results - i);
			return;
		}
#pragma unroll
		for (u32 j = 0; j < N; j++)
			if (i + j < results)
				to[j] = w[j];
	};
	fetch(first);
#pragma unroll 1
	for (; first < n; first += step) {
		write(a, p, N);
		write(a + W, p, N);
		write(b + N * at, p + N, N);
		meet();
		fetch(first + step);
		Rows<N> sums = {}, upper = {};
		u32 v[N], over[2 * N] = {};
		read(v, a);
		read(over, b + N * (T - 1));
		sums.upper(v, over);
		auto keep = [&](bool now) __attribute__((always_inline)) {
#pragma unroll
			for (u32 q = 0; q < N + 1; q++) {
				upper.even[q] = now ? sums.even[q] : upper.even[q];
				upper.odd[q] = now ? sums.odd[q] : upper.odd[q];
			}
		};
#pragma unroll
		for (u32 s = 1; s < T; s++) {
			keep(at + s == T);
			read(v, a + N * s);
#pragma unroll
			for (u32 q = 0; q < N; q++)
				over[N + q] = over[q];
			read(over, b + N * (T - 1 - s));
			sums.all(v, over);
		}
		keep(at == 0);
		read(v, a + W);
#pragma unroll
		for (u32 q = 0; q < N; q++)
			over[N + q] = over[q];
		sums.lower(v, over);
		u32 low[N + 2], high[N + 2];
		sums.quick(low);
		upper.quick(high);
		less_of<N + 2>(low, high);
		u32 before = at > 0 ? lane - 1 : lane + T - 1, in_low[2], in_high[2];
#pragma unroll
		for (u32 q = 0; q < 2; q++) {
			in_low[q] = shuffle(low[N + q], before);
			in_high[q] = shuffle(at == T - 1 ? low[N + q] : high[N + q], before);
			if (at == 0)
				in_low[q] = 0;
		}
		u32 out_low = lift<N>(low, in_low), out_high = lift<N>(high, in_high), ones = 0xffffffff, ones2 = 0xffffffff;
#pragma unroll
		for (u32 q = 0; q < N; q++)
			ones &= low[q], ones2 &= high[q];
		u32 g = ballot(out_low != 0), f = ballot(ones == 0xffffffff);
		u32 g2 = ballot(out_high != 0), f2 = ballot(ones2 == 0xffffffff);
		u32 through = f & ~tops, in = through ^ (through + ((g & ~tops) << 1));
		u32 through2 = f2 & ~tops, carry = ((g | (f & in)) & tops) >> (T - 1);
		u32 in2 = through2 ^ (through2 + ((g2 & ~tops) << 1) + carry);
		auto finish = [&](u32 *w, u32 in) __attribute__((always_inline)) {
			w[0] += in;
			if (w[0] < in) // hardly ever
#pragma unroll
				for (u32 j = 1; j < N; j++) {
					w[j] += in;
					in &= w[j] == 0;
				}
		};
		finish(low, in >> lane & 1);
		finish(high, in2 >> lane & 1);
		leave(low, first + segment, N * at);
		leave(high, first + segment, N * (T + at));
		meet(); // before the next operands take the place of these
	}
}
template <u32 N> DEVICE void window(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {
	if (m == 4 * N && out == 8 * N)
		window<N, true>(z, x, y, n, m, out);
	else
		window<N, false>(z, x, y, n, m, out);
}
KERNEL(64, 12) void midint_window_24(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {
	window<6>(z, x, y, n, m, out);
}
KERNEL(64, 10) void midint_window_32(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {
	window<8>(z, x, y, n, m, out);
}

// gather16 copies integers of m words to rows of 20, with 0 behind each to 16.
DEVICE void gather16(u32 *to, const u32 *from, u32 m, u32 n) {
	if (m == 16) {
#pragma unroll 4
		for (u32 i = thread(); i < 4 * n; i += threads())
			*(Four *)(to + 20 * (i / 4) + i % 4 * 4) = *(const Four *)(from + 4 * i);
		return;
	}
	for (u32 i = thread(); i < 16 * n; i += threads())
		to[20 * (i / 16) + i % 16] = i % 16 < m ? from[i / 16 * m + i % 16] : 0;
}

// A thread has an integer, whose words are in registers. They come and go through shared memory, so that neighbours
// read and write what is side by side: rows of 20 words, and of 36 for the result, have no two of eight threads in one
// bank.
KERNEL(64, 8) void midint_short(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {
	u64 first = (u64)block() * threads();
	u32 live = n - first < threads() ? (u32)(n - first) : threads();
	u32 *xs = shared<u32>(), *ys = xs + 20 * threads();
	gather16(xs, x + first * m, m, live);
	gather16(ys, y + first * m, m, live);
	barrier();
	u32 a[16], b[16], s[32] = {};
	if (thread() < live) {
#pragma unroll
		for (u32 i = 0; i < 16; i += 4) {
			Four v = *(const Four *)(xs + 20 * thread() + i), w = *(const Four *)(ys + 20 * thread() + i);
#pragma unroll
			for (u32 j = 0; j < 4; j++)
				a[i + j] = v.w[j], b[i + j] = w.w[j];
		}
		if (out <= 16)
			tile<16>(s, a, b);
		else
			tile<32>(s, a, b);
	}
	barrier();
	if (thread() < live)
#pragma unroll
		for (u32 i = 0; i < 32; i += 4)
			*(Four *)(xs + 36 * thread() + i) = Four{{s[i], s[i + 1], s[i + 2], s[i + 3]}};
	barrier();
	if (out % 4 == 0) {
#pragma unroll 4
		for (Walk w(out / 4); w.row < live; w.next())
			*(Four *)(z + (first + w.row) * out + 4 * w.at) = *(const Four *)(xs + 36 * w.row + 4 * w.at);
		return;
	}
	for (Walk w(out); w.row < live; w.next())
		z[(first + w.row) * out + w.at] = xs[36 * w.row + w.at];
}

// gather copies integers of m words to rows of W + 4, with 0 behind each to W.
template <u32 W> DEVICE void gather(u32 *to, const u32 *from, u32 m, u32 n) {
	for (u32 i = m; i < W; i++)
		to[(W + 4) * thread() + i] = 0;
	if (m % 4 == 0) {
#pragma unroll 4
		for (Walk w(m / 4); w.row < n; w.next())
			*(Four *)(to + (W + 4) * w.row + 4 * w.at) = *(const Four *)(from + m * w.row + 4 * w.at);
		return;
	}
	for (Walk w(m); w.row < n; w.next())
		to[(W + 4) * w.row + w.at] = from[m * w.row + w.at];
}

// gather_all is gather for 32 integers of W words of both operands and as many threads: all loads are under way at once.
template <u32 W> DEVICE void gather_all(u32 *xs, u32 *ys, const u32 *x, const u32 *y) {
	u32 v[W], w[W];
#pragma unroll
	for (u32 i = 0; i < W; i += 4) {
		Four f = *(const Four *)(x + 4 * thread() + 32 * i), g = *(const Four *)(y + 4 * thread() + 32 * i);
#pragma unroll
		for (u32 j = 0; j < 4; j++)
			v[i + j] = f.w[j], w[i + j] = g.w[j];
	}
#pragma unroll
	for (u32 i = 0; i < W; i += 4) {
		u32 at = thread() + 8 * i, to = (W + 4) * (at / (W / 4)) + at % (W / 4) * 4;
		*(Four *)(xs + to) = Four{{v[i], v[i + 1], v[i + 2], v[i + 3]}};
		*(Four *)(ys + to) = Four{{w[i], w[i + 1], w[i + 2], w[i + 3]}};
	}
}

// Low is the low half of the product of a thread's integers of W words, x in registers and y in shared memory. Products
// whose lowest word is at an even place, and those at an odd one, are apart, so that each chain of carries adds whole
// products. A word leaves when no row reaches it any more, to the place of a word of y that was read by then.
template <u32 W> struct Low {
	u32 a[W], even[W + 2], odd[W + 2]; // odd[i] is at place i + 1
	u64 carry;
	Four b, s;

	template <u32 J> DEVICE_METHOD void word(u32 *y) {
		carry += even[J];
		if constexpr (J > 0)
			carry += odd[J - 1];
		s.w[J % 4] = (u32)carry;
		carry >>= 32;
		if constexpr (J % 4 == 3)
			*(Four *)(y + J - 3) = s;
	}
	template <u32 J = 0> DEVICE_METHOD void rows(u32 *y) {
		if constexpr (J < W) {
			if constexpr (J % 4 == 0)
				b = *(const Four *)(y + J);
			constexpr u32 each = (W - J) / 2, other = (W - J + 1) / 2;
			u32 w = b.w[J % 4];
			if constexpr (J % 2 == 0) {
				row<each>(even + J, a, w);
				row<each>(odd + J, a + 1, w);
			} else {
				row<other>(odd + J - 1, a, w);
				if constexpr (each > 0)
					row<each>(even + J + 1, a + 1, w);
			}
			word<J>(y);
			rows<J + 1>(y);
		}
	}
	DEVICE_METHOD void multiply(u32 *x, u32 *y) {
#pragma unroll
		for (u32 j = 0; j < W; j += 4) {
			Four v = *(const Four *)(x + j);
#pragma unroll
			for (u32 k = 0; k < 4; k++)
				a[j + k] = v.w[k];
		}
#pragma unroll
		for (u32 j = 0; j < W + 2; j++)
			even[j] = odd[j] = 0;
		carry = 0;
		rows(y);
	}
};

// low has a thread an integer of up to W words. They come and go through shared memory, so that neighbours read and write
// what is side by side: of rows of W + 4 words no two of eight threads are in one bank.
template <u32 W> DEVICE void low(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {
	u64 first = (u64)block() * threads();
	u32 live = n - first < threads() ? (u32)(n - first) : threads();
	u32 *xs = shared<u32>(), *ys = xs + (W + 4) * threads();
	if (m == W && live == 32) {
		gather_all<W>(xs, ys, x + first * m, y + first * m);
	} else {
		gather<W>(xs, x + first * m, m, live);
		gather<W>(ys, y + first * m, m, live);
	}
	barrier();
	if (thread() < live) {
		Low<W> own;
		own.multiply(xs + (W + 4) * thread(), ys + (W + 4) * thread());
	}
	barrier();
	z += first * out;
	if (out == W && live == 32) {
#pragma unroll
		for (u32 i = 0; i < W / 4; i++) {
			u32 at = thread() + 32 * i;
			*(Four *)(z + 4 * at) = *(const Four *)(ys + (W + 4) * (at / (W / 4)) + at % (W / 4) * 4);
		}
		return;
	}
	if (out % 4 == 0) {
#pragma unroll 4
		for (Walk w(out / 4); w.row < live; w.next())
			*(Four *)(z + w.row * out + 4 * w.at) = *(const Four *)(ys + (W + 4) * w.row + 4 * w.at);
		return;
	}
	for (Walk w(out); w.row < live; w.next())
		z[w.row * out + w.at] = ys[(W + 4) * w.row + w.at];
}
KERNEL(32, 16) void midint_low_24(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {
	low<24>(z, x, y, n, m, out);
}
KERNEL(32, 12) void midint_low_32(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {
	low<32>(z, x, y, n, m, out);
}

// A program is count steps of four words: an operation, x + y, x − y, x or x·y modulo 2^n as 0, 1, 4 and 5, and the
// places of z, x and y. Places below operands are those, at the addresses in front of the steps, and the others are in
// shared memory, eight words of each thread. A product has no place of x or y, and waits for all words of both. The last
// step's place is the result.
KERNEL(256) void midint_program(u32 *z, const u64 *program, u32 operands, u32 count, u64 n, u32 m, u32 t) {
	Place p = place(n, t);
	const u32 *steps = (const u32 *)(program + operands);
	u64 *above = shared<u64>() + 32;
	Four *scratch = (Four *)(above + threads()), *slots = scratch + 4 * threads();
	u32 turn = 0, v[8], w[8];
	auto read = [&](u32 (&to)[8], u32 at) {
		if (at < operands)
			load(to, (const u32 *)program[at] + p.integer * m, 8 * p.at, m, p.live);
		else
			get(to, slots + 2 * threads() * (at - operands), thread());
	};
#pragma unroll 1
	for (u32 i = 0; i < count; i++) {
		u32 op = steps[4 * i], at = steps[4 * i + 1];
		read(v, steps[4 * i + 2]);
		read(w, steps[4 * i + 3]);
		if (op == 5) {
			put(scratch, thread(), v);
			put(scratch + 2 * threads(), thread(), w);
			barrier();
			u32 low[10] = {}, high[10];
			if (p.live)
				columns(low, high, scratch, scratch + 2 * threads(), p);
			above[thread()] = (u64)low[9] << 32 | low[8];
			barrier();
			u64 in = p.live && p.at > 0 ? above[thread() - 1] : 0;
#pragma unroll
			for (u32 q = 0; q < 8; q++)
				v[q] = low[q], w[q] = 0;
			w[0] = (u32)in;
			w[1] = (u32)(in >> 32);
		}
		if (op == 1) {
#pragma unroll
			for (u32 q = 0; q < 8; q++)
				w[q] = ~w[q];
		}
		if (op != 4)
			sum(v, w, op == 1, p, turn);
		if (i + 1 < count)
			put(slots + 2 * threads() * (at - operands), thread(), v);
	}
	store(z + p.integer * m, v, 8 * p.at, m, p.live);
}

// Band is products of eight words by four: those whose lowest word is at an even place, and those at an odd one, are
// apart, so that each chain of carries adds whole products. Words from 9 on are 0 before a chain reaches them, and word
// 8 has a few bits, so that carries that leave a chain end there.
struct Band {
	u32 even[13], odd[12]; // odd[i] is at place i + 1

	DEVICE_METHOD void add(const u32 (&a)[8], const u32 (&b)[4]) {
		row<4>(even, a, b[0]);
		row<4>(odd, a + 1, b[0]);
		row<4>(odd, a, b[1]);
		row<4>(even + 2, a + 1, b[1]);
		row<4>(even + 2, a, b[2]);
		row<4>(odd + 2, a + 1, b[2]);
		row<4>(odd + 2, a, b[3]);
		row<4>(even + 4, a + 1, b[3]);
		ahead<12>(even + 1, odd);
	}
};

const u32 least_square = 5; // threads of an integer for which squares of their own are faster than products

// Modulus is what a thread has of an odd modulus m: its words, those of next, and k, the negative inverse modulo 2^128.
// m·k + 1 is next·2^128: a sum whose lowest four words are q becomes a multiple of 2^128 by q·m·k, and that multiple is
// the words above and q·next. So a step needs no product for its quotient, and no sum of the lowest words.
struct Modulus {
	u32 next[8];

	// kept is where m and k wait for the end of a product.
	DEVICE_METHOD static Four *kept() { return shared<Four>() + 9 * threads() + thread(); }
	DEVICE_METHOD static void keep(const u32 (&m)[8], const u32 (&inverse)[4]) {
		Four *to = kept();
		to[0] = Four{{m[0], m[1], m[2], m[3]}};
		to[threads()] = Four{{m[4], m[5], m[6], m[7]}};
		to[2 * threads()] = Four{{inverse[0], inverse[1], inverse[2], inverse[3]}};
	}
	DEVICE_METHOD static void words(u32 (&m)[8]) {
		Four low = kept()[0], high = kept()[threads()];
#pragma unroll
		for (u32 j = 0; j < 4; j++)
			m[j] = low.w[j], m[4 + j] = high.w[j];
	}

	// quotient is low·k modulo 2^128.
	DEVICE_METHOD static void quotient(u32 (&q)[4], const u32 (&low)[4]) {
		Four k = kept()[2 * threads()];
		const u32 *inverse = k.w;
		u32 even[5] = {}, odd[5] = {};
		row<2>(even, inverse, low[0]);
		row<2>(odd, inverse + 1, low[0]);
		row<2>(odd, inverse, low[1]);
		row<1>(even + 2, inverse + 1, low[1]);
		row<1>(even + 2, inverse, low[2]);
		row<1>(odd + 2, inverse + 1, low[2]);
		row<1>(odd + 2, inverse, low[3]);
		u64 carry = 0;
		q[0] = even[0];
#pragma unroll
		for (u32 i = 1; i < 4; i++) {
			carry += (u64)even[i] + odd[i - 1];
			q[i] = (u32)carry;
			carry >>= 32;
		}
	}
};

// less is x − m where reduce is set, which all threads of an integer agree on. It returns whether m is at most x.
DEVICE u32 less(u32 (&x)[8], const u32 (&m)[8], u32 reduce, const Place &p, u32 &turn) {
	u32 w[8];
#pragma unroll
	for (u32 j = 0; j < 8; j++)
		w[j] = reduce ? ~m[j] : 0;
	return sum(x, w, reduce, p, turn);
}

// above are the lowest four words of the next thread of an integer, and 0 for the last one.
DEVICE void above(u32 (&z)[4], const u32 *low, const Place &p) {
#pragma unroll
	for (u32 j = 0; j < 4; j++) {
		u32 w = shuffle(low[j], (p.lane + 1) & 31);
		z[j] = p.at + 1 < p.t ? w : 0;
	}
}

// Rest is what a thread has of a sum on its way down: the parts of a Band, which stay apart, and words that wait until
// they are among the lowest four. Only those are summed in a step.
struct Rest {
	u32 even[13], odd[11];
	u32 left;             // of odd, at place 0
	u32 held[4], then[4]; // of the thread above, at places 0 and 4
	u32 carry[2];         // into place 0

	// add is x·b, and m·q where two is set. Rows go by their places, so that a carry finds the word above them free.
	template <bool two>
	DEVICE_METHOD void add(const u32 (&x)[8], const u32 (&b)[4], const u32 (&m)[8], const u32 (&q)[4]) {
		row<4>(even, x, b[0]);
		row<4>(odd, x + 1, b[0]);
		row<4>(odd, x, b[1]);
		if constexpr (two) {
			row<4>(even, m, q[0]);
			row<4>(odd, m + 1, q[0]);
			row<4>(odd, m, q[1]);
		}
		row<4>(even + 2, x + 1, b[1]);
		row<4>(even + 2, x, b[2]);
		row<4>(odd + 2, x + 1, b[2]);
		row<4>(odd + 2, x, b[3]);
		if constexpr (two) {
			row<4>(even + 2, m + 1, q[1]);
			row<4>(even + 2, m, q[2]);
			row<4>(odd + 2, m + 1, q[2]);
			row<4>(odd + 2, m, q[3]);
		}
		row<4>(even + 4, x + 1, b[3]);
		if constexpr (two)
			row<4>(even + 4, m + 1, q[3]);
	}

	// lowest takes the lowest four words.
	DEVICE_METHOD void lowest(u32 (&low)[4]) {
		u32 w[4] = {left, odd[0], odd[1], odd[2]};
#pragma unroll
		for (u32 j = 0; j < 4; j++)
			low[j] = even[j];
		carried<4>(low, w, carry[0]);
		carried<4>(low, held, carry[1]);
	}

	// step moves all words down by four, and makes q of those of the first thread.
	DEVICE_METHOD void step(u32 (&q)[4], const Place &p) {
		u32 low[4];
		lowest(low);
#pragma unroll
		for (u32 j = 0; j < 4; j++) {
			q[j] = shuffle(low[j], p.first);
			held[j] = then[j];
		}
		above(then, low, p);
		left = odd[3];
#pragma unroll
		for (u32 j = 0; j < 13; j++)
			even[j] = j < 9 ? even[j + 4] : 0;
#pragma unroll
		for (u32 j = 0; j < 11; j++)
			odd[j] = j < 7 ? odd[j + 4] : 0;
	}

	// last is the sum after the last step, which takes m itself, so that no more than m stays.
	DEVICE_METHOD void last(u32 (&s)[9], const u32 (&m)[8], const Place &p) {
		Band v = {};
		u32 low[4], q[4], next[5] = {}, w[9] = {}, behind[9] = {};
		lowest(low);
#pragma unroll
		for (u32 j = 0; j < 9; j++) {
			s[j] = even[j + 4];
			w[j] = j < 8 ? odd[j + 3] : 0;
			behind[j] = j < 4 ? then[j] : 0;
		}
		carried<9>(s, w, carry[0]);
		carried<9>(s, behind, carry[1]);
#pragma unroll
		for (u32 j = 0; j < 4; j++) {
			v.even[j] = low[j];
			low[j] = shuffle(low[j], p.first);
		}
		Modulus::quotient(q, low);
		v.add(m, q);
		u32 none = 0;
		carried<9>(s, v.even + 4, none);
		above(*(u32(*)[4])next, v.even, p);
		ahead<5>(s + 4, next);
	}
};

// Square is sums of products of four words, twice eight by four, of parts as a Band's; above has their carries, which
// are at places from 8 on.
struct Square {
	u32 even[12], odd[10], above[5];

	// add is a·b.
	DEVICE_METHOD void add(const u32 (&a)[8], const u32 (&b)[4]) {
		row<4>(even, a, b[0], above[0]);
		row<4>(odd, a + 1, b[0], above[1]);
		row<4>(odd, a, b[1], above[1]);
		row<4>(even + 2, a + 1, b[1], above[2]);
		row<4>(even + 2, a, b[2], above[2]);
		row<4>(odd + 2, a + 1, b[2], above[3]);
		row<4>(odd + 2, a, b[3], above[3]);
		row<4>(even + 4, a + 1, b[3], above[4]);
	}

	// ahead is the products of the lowest four words of a with those above each.
	DEVICE_METHOD void ahead(const u32 (&a)[8]) {
		row<3>(even + 2, a + 2, a[0], above[0]);
		row<4>(odd, a + 1, a[0], above[1]);
		row<3>(odd + 2, a + 2, a[1], above[1]);
		row<3>(even + 4, a + 3, a[1], above[2]);
		row<2>(even + 6, a + 4, a[2], above[2]);
		row<3>(odd + 4, a + 3, a[2], above[3]);
		row<2>(odd + 6, a + 4, a[3], above[3]);
		row<2>(even + 8, a + 5, a[3], above[4]);
	}

	// sum is the words of both parts.
	DEVICE_METHOD void sum(u32 (&z)[13]) const {
		u32 w[12];
#pragma unroll
		for (u32 j = 0; j < 12; j++) {
			z[j] = even[j];
			w[j] = j < 10 ? odd[j] : 0;
		}
		z[12] = 0;
		::ahead<12>(z + 1, w);
		::ahead<5>(z + 8, above);
	}

	// wait stores the parts, which a thread reads again.
	DEVICE_METHOD void wait(Four *to) const {
#pragma unroll
		for (u32 j = 0; j < 7; j++) {
			Four v;
#pragma unroll
			for (u32 i = 0; i < 4; i++) {
				u32 at = 4 * j + i;
				v.w[i] = at < 12 ? even[at] : at < 22 ? odd[at - 12] : at < 27 ? above[at - 22] : 0;
			}
			to[threads() * j] = v;
		}
	}
	DEVICE_METHOD void back(const Four *from) {
#pragma unroll
		for (u32 j = 0; j < 7; j++) {
			Four v = from[threads() * j];
#pragma unroll
			for (u32 i = 0; i < 4; i++) {
				u32 at = 4 * j + i;
				if (at < 12)
					even[at] = v.w[i];
				else if (at < 22)
					odd[at - 12] = v.w[i];
				else if (at < 27)
					above[at - 22] = v.w[i];
			}
		}
	}
};

// doubled is 2z, and squares of the words of a.
DEVICE void doubled(u32 (&z)[13], const Four &a) {
#pragma unroll
	for (u32 j = 12; j > 0; j--)
		z[j] = funnel(z[j - 1], z[j], 31);
	z[0] *= 2;
	squares(z, a.w);
}

// square makes the words of x² from R on, and those below it as a rest. Four words of x are a unit, at 2·first on in
// shared memory. A thread has the sums of products of units whose places are 2·at and 2·at + 1, and those 2t further
// on, which have t units by two and their squares together, the same for all threads: what is below R comes first,
// waits in shared memory, and is taken from the sum of all in the end.
DEVICE void square(Rest &rest, u32 (&high)[9], const Place &p) {
	// Lanes behind the last whole integer read the words of the first one, and not what other lanes have wait.
	Four *all = shared<Four>(), *x = all + (p.first + p.t <= 32 ? 2 * p.first : 0), *waits = all + 2 * threads() + thread();
	Square s = {};
	u32 a[8];
	auto unit = [&](u32 *w, u32 at) {
		Four v = x[at];
#pragma unroll
		for (u32 j = 0; j < 4; j++)
			w[j] = v.w[j];
	};
	unit(a, p.at);
	unit(a + 4, p.at + 1);
	s.ahead(a);
#pragma unroll 1
	for (u32 k = 1; k < p.t; k++) {
		u32 b[4];
		if (k == p.at + 1)
			s.wait(waits);
		unit(a, p.at + k);
		unit(a + 4, p.at + k + 1);
		unit(b, p.at >= k ? p.at - k : p.at + 2 * p.t - k);
		s.add(a, b);
	}
	if (p.at + 1 == p.t)
		s.wait(waits);
	unit(a, p.at + p.t);
#pragma unroll
	for (u32 j = 4; j < 8; j++)
		a[j] = 0;
	s.ahead(a);
	u32 z[13], below[5], lower[9] = {}, low[13];
	s.sum(z);
	s.back(waits);
	s.sum(low);
	less_of<13>(z, low);
	doubled(z, x[p.at + p.t]);
	u32 before = p.at > 0 ? p.lane - 1 : p.first + p.t - 1;
#pragma unroll
	for (u32 j = 0; j < 9; j++)
		high[j] = j < 8 ? z[j] : 0;
#pragma unroll
	for (u32 j = 0; j < 5; j++)
		below[j] = shuffle(z[8 + j], before & 31); // none leaves the last thread
	doubled(low, x[p.at]);
	u32 none = 0;
#pragma unroll
	for (u32 j = 0; j < 5; j++) {
		u32 w = shuffle(low[8 + j], before & 31);
		lower[j] = p.at > 0 ? w : 0;
		below[j] = p.at > 0 ? below[j] : w;
	}
	rest = {};
#pragma unroll
	for (u32 j = 0; j < 8; j++)
		rest.even[j] = low[j];
	carried<9>(rest.even, lower, none);
#pragma unroll
	for (u32 j = 0; j < 5; j++)
		lower[j] = below[j];
	none = 0;
	carried<9>(high, lower, none);
}

// steps are those from 1 to count − 1, three in a row: a rest is back in its registers after so many.
template <class F> DEVICE void steps(u32 count, F step) {
	u32 k = 1;
#pragma unroll 1
	for (; k + 3 <= count; k += 3)
#pragma unroll
		for (u32 i = 0; i < 3; i++)
			step(k + i);
#pragma unroll 1
	for (; k < count; k++)
		step(k);
}

// montgomery is x = x·y/R modulo m, below R, or x²/R where squared is set: four words of y and four of the quotient are
// a step.
DEVICE void montgomery(u32 (&x)[8], const u32 (&y)[8], bool squared, const Modulus &m, const Place &p, u32 &turn) {
	Four *all = shared<Four>();
	barrier(); // what read it before is over
	u32 q[4], s[9], high[9] = {};
	Rest rest = {};
#pragma unroll
	for (u32 j = 0; j < 2; j++)
		all[2 * thread() + j] = squared ? Four{{x[4 * j], x[4 * j + 1], x[4 * j + 2], x[4 * j + 3]}}
		                                : Four{{y[4 * j], y[4 * j + 1], y[4 * j + 2], y[4 * j + 3]}};
	barrier();
	if (squared) {
		square(rest, high, p);
		steps(2 * p.t, [&](u32) {
			rest.step(q, p);
			rest.add<false>(m.next, q, m.next, q);
		});
	} else {
		all += 2 * p.first;
		Four b = all[0];
		rest.add<false>(x, b.w, m.next, q);
		steps(2 * p.t, [&](u32 k) {
			b = all[k];
			rest.step(q, p);
			rest.add<true>(x, b.w, m.next, q);
		});
	}
	u32 words[8];
	Modulus::words(words);
	rest.last(s, words, p);
	u32 none = 0, in[8] = {};
	carried<9>(s, high, none);
	u32 below = shuffle(s[8], (p.lane - 1) & 31), top = shuffle(s[8], (p.first + p.t - 1) & 31);
	in[0] = p.at > 0 ? below : 0;
#pragma unroll
	for (u32 j = 0; j < 8; j++)
		x[j] = s[j];
	u32 over = sum(x, in, 0, p, turn) + top; // x is below R + 2m
	over = p.live ? over : 0;
#pragma unroll 1
	while (ballot(over != 0) != 0) {
		u32 fits = less(x, words, over != 0, p, turn);
		over -= over != 0 && fits == 0;
	}
}

KERNEL(32, 16) void midint_moduli(u32 *constants, const u32 *moduli, u64 n, u32 m, u32 t) {
	Place p = place(n, t);
	Modulus own = {};
	u32 turn = 0, words[8], negative[4];
	load(words, moduli + p.integer * m, 8 * p.at, m, p.live);
	u32 low[4];
#pragma unroll
	for (u32 j = 0; j < 4; j++)
		low[j] = shuffle(words[j], p.first & 31);
	u128 d = (u128)((u64)low[3] << 32 | low[2]) << 64 | ((u64)low[1] << 32 | low[0]);
	u64 half = (u64)d; // right in three bits, and in twice as many each time
#pragma unroll 1
	for (u32 i = 0; i < 5; i++)
		half *= 2 - half * (u64)d;
	u128 inverse = 0 - (u128)half * (2 - (u128)half * d);
#pragma unroll
	for (u32 j = 0; j < 4; j++)
		negative[j] = (u32)(inverse >> 32 * j);
	Modulus::keep(words, negative);
	Band product = {};
	product.add(words, negative);
	u32 more[8] = {}, behind[5] = {};
	above(*(u32(*)[4])behind, product.even, p);
	ahead<5>(product.even + 8, behind);
	u32 below = shuffle(product.even[12], (p.lane - 1) & 31);
	more[0] = p.at > 0 ? below : 0;
#pragma unroll
	for (u32 j = 0; j < 8; j++)
		own.next[j] = product.even[j + 4];
	sum(own.next, more, 1, p, turn); // the lowest four words are all ones

	// v is 2^(b − 1) for a modulus of b bits, and never above it.
	u32 v[8], least = 0, mine = 0; // words of the thread, without zeros above
#pragma unroll
	for (u32 j = 0; j < 8; j++)
		if (words[j] != 0)
			mine = j + 1;
	u32 filled = ballot(mine != 0) & (t == 32 ? 0xffffffffu : ((1u << t) - 1) << p.first);
	bool highest = filled != 0 && p.lane == (u32)(31 - __builtin_clz(filled));
#pragma unroll
	for (u32 j = 0; j < 8; j++) {
		u32 bit = highest && mine == j + 1 ? 0x80000000u >> __builtin_clz(words[j]) : 0;
		v[j] = bit;
		if (bit != 0)
			least = 8 * 32 * p.at + 32 * j + (u32)(31 - __builtin_clz(bit));
	}
	u32 from = shuffle(least, filled != 0 ? 31 - __builtin_clz(filled) : 0);
	// R modulo the modulus is 256t − b + 1 doublings further, and R·2^t so many more.
	u32 doublings = p.live ? 256 * t - from + t : 0;
#pragma unroll 1
	while (ballot(doublings != 0) != 0) {
		u32 twice[8], reduced[8];
		copy(twice, v);
		u32 over = sum(twice, v, 0, p, turn);
		copy(reduced, twice);
		u32 reaches = less(reduced, words, 1, p, turn) | over;
#pragma unroll
		for (u32 j = 0; j < 8; j++)
			v[j] = doublings == 0 ? v[j] : reaches != 0 ? reduced[j] : twice[j];
		doublings -= doublings != 0;
	}
#pragma unroll 1
	for (u32 i = 0; i < 8; i++) { // each square doubles the power of two beside R
		montgomery(v, v, t >= least_square, own, p, turn);
	}
	u32 *to = constants + p.integer * (24 * t + 4);
	store(to, words, 8 * p.at, 8 * t, p.live);
	store(to + 8 * t, v, 8 * p.at, 8 * t, p.live);
	store(to + 16 * t, own.next, 8 * p.at, 8 * t, p.live);
	if (p.live && p.at == 0)
		*(Four *)(to + 24 * t) = Four{{negative[0], negative[1], negative[2], negative[3]}};
}

// Powers goes through the products of a power, or of a product modulo m: those of the table, then for each digit but the
// first squares and one product, and the last, which takes R away.
KERNEL(32, 12) void midint_power(u32 *z, const u32 *x, const u32 *y, const u32 *constants, u32 *table, u64 n, u32 m,
                                 u32 t, u32 length, u32 window, u32 digits, u32 shared) {
	Place p = place(n, t);
	u32 each = 32 / t, entries = 1u << window, turn = 0;
	u32 steps = window == 0 ? 2 : entries + (digits - 1) * (window + 1) + 1;
	bool halves = t >= least_square;
	bool own = p.lane / t < each;
	table += (u64)block() * entries * 256 + 8 * thread();
	for (u64 first = (u64)block() * each; first < n; first += (u64)blocks() * each) {
		p.integer = first + p.lane / t;
		p.live = own && p.integer < n;
		const u32 *of = constants + (shared & 1 ? 0 : p.integer * (24 * t + 4));
		const u32 *exponent = y + (shared & 2 ? 0 : p.integer * length);
		Modulus mod;
		u32 words[8], inverse[4];
		load(words, of, 8 * p.at, 8 * t, p.live);
		load(mod.next, of + 16 * t, 8 * p.at, 8 * t, p.live);
#pragma unroll
		for (u32 j = 0; j < 4; j++)
			inverse[j] = p.live ? of[24 * t + j] : 0;
		Modulus::keep(words, inverse);
		auto digit = [&](u32 i) -> u32 {
			u32 at = i * window, word = at / 32;
			u64 v = p.live && word < length ? exponent[word] : 0;
			if (p.live && word + 1 < length)
				v |= (u64)exponent[word + 1] << 32;
			return (u32)(v >> at % 32) & (entries - 1);
		};
		u32 a[8], b[8];
		load(a, x + p.integer * m, 8 * p.at, m, p.live);
		auto unit = [&](u32 (&w)[8]) {
#pragma unroll
			for (u32 j = 0; j < 8; j++)
				w[j] = j == 0 && p.at == 0;
		};
		u32 taken = 0, next = digits - 1; // squares of a window, and the window before
#pragma unroll 1
		for (u32 i = 0; i < steps; i++) {
			bool squared = false;
			if (window == 0) {
				if (i == 0)
					load(b, of + 8 * t, 8 * p.at, 8 * t, p.live);
				else
					load(b, y + p.integer * m, 8 * p.at, m, p.live);
			} else if (i < entries) {
				if (i == 0)
					unit(a);
				else if (i == 1)
					load(a, x + p.integer * m, 8 * p.at, m, p.live);
				if (i < 2)
					load(b, of + 8 * t, 8 * p.at, 8 * t, p.live);
				else
					load(b, table + 256, 0, 8, true);
			} else {
				if (i == entries)
					load(a, table + 256 * digit(next), 0, 8, true);
				if (i + 1 == steps) {
					unit(b);
				} else if (taken < window) {
					taken++;
					if (!(squared = halves))
						copy(b, a);
				} else {
					taken = 0;
					u32 d = digit(--next);
					if (ballot(d != 0) == 0)
						continue;
					load(b, table + 256 * d, 0, 8, true);
				}
			}
			montgomery(a, b, squared, mod, p, turn);
			if (window != 0 && i < entries)
				store(table + 256 * i, a, 0, 8, true);
		}
		Modulus::words(words);
#pragma unroll 1
		for (u32 i = 0; i < 2; i++) { // it is below 3m
			u32 reduced[8];
			copy(reduced, a);
			u32 reaches = less(reduced, words, 1, p, turn);
#pragma unroll
			for (u32 j = 0; j < 8; j++)
				a[j] = reaches != 0 ? reduced[j] : a[j];
		}
		store(z + p.integer * m, a, 8 * p.at, m, p.live);
	}
}

KERNEL(1024) void midint_order(u8 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 t) {
	Place p = place(n, t);
	u32 order = 0, turn = 0; // 1 for below, 2 for above
	for (u32 from = (m - 1) / (8 * t) * 8 * t;; from -= 8 * t) {
		u32 i = from + 8 * p.at, a[8], b[8], own = 0;
		load(a, x + p.integer * m, i, m, p.live);
		load(b, y + p.integer * m, i, m, p.live);
#pragma unroll
		for (u32 j = 0; j < 8; j++)
			own = a[j] < b[j] ? 1 : a[j] > b[j] ? 2 : own;
		u32 below = ballot(own == 1), over = ballot(own == 2);
		if (t <= 32) {
			u32 mask = (t == 32 ? 0xffffffffu : (1u << t) - 1) << (p.first & 31);
			below &= mask;
			over &= mask;
		} else {
			u32 *shares = shared<u32>() + 32 * (turn & 1);
			turn++;
			if (p.lane == 0)
				shares[thread() >> 5] = below > over ? 1 : over > below ? 2 : 0;
			barrier();
			u32 share = p.lane < t / 32 ? shares[p.lane] : 0;
			below = ballot(share == 1);
			over = ballot(share == 2);
		}
		if (order == 0)
			order = below > over ? 1 : over > below ? 2 : 0;
		if (from == 0)
			break;
	}
	if (p.live && p.at == 0)
		z[p.integer] = order == 1 ? 0xff : order == 2;
}
