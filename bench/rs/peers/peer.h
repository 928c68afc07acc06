// The protocol of programs that BenchmarkPrograms asks. A program reads commands, a line each, until its input ends, and
// answers each with a line:
//
//	open CODE DATA PARITY SIZE …    ok NAME, or no REASON; fills shards as vectors.h does
//	run NS                          the least time of an encode in ns, among those that so many ns hold, two at least
//	sum                             the FNV-1a sum of the parity
//
// CODE is matrix, whose rows of factors of GF(2^8) modulo 0x11D follow on the line, one for each parity; or any, a code
// of the program's own.
#pragma once

#include "vectors.h"
#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

struct Peer {
	unsigned data = 0, parity = 0, size = 0;
	std::vector<uint8_t *> shards;
	virtual ~Peer() = default;
	// open returns why it has no such code, or nothing.
	virtual std::string open(const std::string &code) = 0;
	virtual void run() = 0;
};

inline int serve(Peer &peer, const std::string &name)
{
	for (std::string command; std::cin >> command;) {
		if (command == "open") {
			std::string code;
			std::cin >> code >> peer.data >> peer.parity >> peer.size;
			uint8_t **s = fill(peer.data + peer.parity, peer.size);
			peer.shards.assign(s, s + peer.data + peer.parity);
			const std::string why = peer.open(code);
			std::cout << (why.empty() ? "ok " + name : "no " + why) << std::endl;
		} else if (command == "run") {
			using clock = std::chrono::steady_clock;
			long ns;
			std::cin >> ns;
			const auto start = clock::now();
			double least = 1e300;
			for (int i = 0; i < 2 || clock::now() - start < std::chrono::nanoseconds(ns); i++) {
				const auto from = clock::now();
				peer.run();
				least = std::min(least, std::chrono::duration<double, std::nano>(clock::now() - from).count());
			}
			std::cout << std::fixed << least << std::endl;
		} else if (command == "sum") {
			std::cout << fnv(peer.shards.data() + peer.data, peer.parity, peer.size) << std::endl;
		} else {
			return 1;
		}
	}
	return 0;
}
