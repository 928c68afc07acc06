// The protocol of programs that bench compares with (external.go). A program reads commands, a line each, until its input
// ends, and answers each with a line:
//
//	open OP PRIME N ROOT    ok NAME VERSION, or no REASON where it has no such operation
//	load X ...              ok; the operands, one after the other
//	run NS                  the least time of one operation in ns, among those that so many ns hold, two at least
//	values                  the numbers of the result
//
// OP is forward, the transform of N values at the powers of ROOT, of order N, or negacyclic, that at its odd powers, of
// order 2N then, both in bit-reversed order and reduced; or polymul, the product of two polynomials of N coefficients;
// ROOT is 0 then. It is mul for the product of two integers of N words each, told and given by words, the lowest first;
// PRIME and ROOT are 0 then. Numbers are decimal. So are, of integers of N words: sqr, the square of one; quo, N + 1 words
// of the quotient and N of the remainder of one of 2N words by one of N; sqrt, (N + 1)/2 words of the root; text, the
// decimal digits; parse, N words from their digits, which no time makes.
//
// A library whose values come in another order or range is timed as it is, and values puts them right, which no time
// holds.
//
// A transform in place says so behind its version, as in "ok tfhe-ntt 0.7.1, in place". Then ours is in place too, and
// what makes either operand anew is in no time.
//
// For bench/papers OP is transform: the values at 1, ROOT, ROOT^2, ... in natural order on both sides, by as many threads
// as the environment variable THREADS says.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Peer {
	virtual ~Peer() = default;
	// open returns why it has no such operation, or nothing.
	virtual std::string open(const std::string &op, const std::string &prime, long n, const std::string &root) = 0;
	virtual void load(const std::vector<std::string> &x) = 0;
	// prepare makes the operand anew, before each run and in none of the times, where run is in place.
	virtual void prepare() {}
	virtual void run() = 0;
	virtual std::vector<std::string> values() = 0;
};

// word reads a number below 2^64, or returns 0.
inline uint64_t word(const std::string &number) {
	if (number.size() > 20 || (number.size() == 20 && number > "18446744073709551615"))
		return 0;
	return std::stoull(number);
}

inline bool integerOperation(const std::string &op) {
	return op == "mul" || op == "sqr" || op == "quo" || op == "sqrt" || op == "text" || op == "parse";
}

inline int serve(Peer &peer, const std::string &name) {
	for (std::string line; std::getline(std::cin, line);) {
		std::istringstream words(line);
		std::string command;
		words >> command;
		if (command == "open") {
			std::string op, prime, root;
			long n;
			words >> op >> prime >> n >> root;
			const std::string why = peer.open(op, prime, n, root);
			std::cout << (why.empty() ? "ok " + name : "no " + why) << std::endl;
		} else if (command == "load") {
			std::vector<std::string> x;
			for (std::string number; words >> number;)
				x.push_back(number);
			peer.load(x);
			std::cout << "ok" << std::endl;
		} else if (command == "run") {
			using clock = std::chrono::steady_clock;
			double budget, least = 1e18;
			words >> budget;
			const auto begin = clock::now();
			const auto since = [](clock::time_point t) {
				return std::chrono::duration<double, std::nano>(clock::now() - t).count();
			};
			for (int i = 0; i < 2 || since(begin) < budget; i++) {
				peer.prepare();
				const auto start = clock::now();
				peer.run();
				least = std::min(least, since(start));
			}
			std::cout << least << std::endl;
		} else if (command == "values") {
			for (const std::string &v : peer.values())
				std::cout << v << ' ';
			std::cout << std::endl;
		} else {
			std::cout << "no command " << command << std::endl;
		}
	}
	return 0;
}
