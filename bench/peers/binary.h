// The protocol of programs over binary fields that bench/papers (additive.go) and bench/registercache (peers.go) compare
// with: over GF(2^64), modulo x^64 + x^4 + x^3 + x + 1, and products over GF(2^n).
//
// A program reads commands, a line each, until its input ends, and answers each with a line:
//
//	open OP N X ...   ok NAME, or no REASON where it has no such operation; tables are made here
//	fill SEED         ok; the operands are the first outputs of SplitMix64 from this state
//	run               the time of the operation in ns
//	hash              of the N results, which the operands are no more
//
// OP is multiply, products of N pairs: the first N operands, and the N behind them; there is no X. Or X are the exponents
// of another modulus, the highest first: operands and results are N words then, the lowest of an element first, and bits
// of an operand from the degree on do not count. OP is forward, the values of a polynomial with N coefficients at the
// points of an affine subspace: X are the log2(N) vectors of its basis, and behind them its shift, and bit j of a point's
// number chooses vector j; or inverse, the way back. X and SEED are hexadecimal. Transforms run on as many threads as the
// environment variable THREADS says.
//
// A library whose elements are of another form is timed as it is, and fill and hash convert, which no time holds.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct BinaryPeer {
	virtual ~BinaryPeer() = default;
	// open returns why it has no such operation, or nothing.
	virtual std::string open(const std::string &op, size_t n, const std::vector<uint64_t> &x) = 0;
	virtual void fill(const std::vector<uint64_t> &x) = 0;
	virtual void run() = 0;
	virtual uint64_t result(size_t i) = 0;
};

inline int threads() {
	const char *text = std::getenv("THREADS");
	return text == nullptr ? 1 : std::atoi(text);
}

inline uint64_t splitmix(uint64_t &state) {
	uint64_t z = state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

inline int serve(BinaryPeer &peer, const std::string &name) {
	size_t n = 0, operands = 0;
	for (std::string line; std::getline(std::cin, line);) {
		std::istringstream words(line);
		std::string command;
		words >> command >> std::dec;
		if (command == "open") {
			std::string op;
			std::vector<uint64_t> list;
			words >> op >> n >> std::hex;
			for (uint64_t x; words >> x;)
				list.push_back(x);
			operands = op == "multiply" ? 2 * n : n;
			const std::string why = peer.open(op, n, list);
			std::cout << (why.empty() ? "ok " + name : "no " + why) << std::endl;
		} else if (command == "fill") {
			uint64_t state = 0;
			words >> std::hex >> state;
			std::vector<uint64_t> x(operands);
			for (uint64_t &w : x)
				w = splitmix(state);
			peer.fill(x);
			std::cout << "ok" << std::endl;
		} else if (command == "run") {
			const auto start = std::chrono::steady_clock::now();
			peer.run();
			const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
			std::cout << std::fixed << took.count() << std::endl;
		} else if (command == "hash") {
			uint64_t sum = 0;
			for (size_t i = 0; i < n; i++)
				sum = (sum ^ peer.result(i)) * 0x9e3779b97f4a7c15 + (sum >> 32);
			std::cout << std::hex << sum << std::dec << std::endl;
		} else {
			std::cout << "no command " << command << std::endl;
		}
	}
	return 0;
}
