// FastECC for bench/rs: g++ -std=c++14 -O3 -mavx2 -DSIMD=AVX2 -I DIR fastecc.cc, where DIR has
// github.com/Bulat-Ziganshin/FastECC. Its encoder is part of a program that measures it, and makes as many shards of
// parity as there are of data, a power of two, in place of these: values of the polynomial at the other points.
#include "peer.h"
#include <cassert>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include "wall_clock_timer.h"
#include "LargePages.cpp"
#include "GF(p).cpp"
#include "ntt.cpp"

static const uint32_t prime = 0xFFF00001;

struct FastECC : Peer {
	std::vector<uint32_t *> rows;
	std::string open(const std::string &code) override
	{
		if (code != "any" || data != parity || (data & (data - 1)) || size % 4)
			return "it has no such code";
		for (unsigned i = 0; i < data; i++) {
			rows.push_back((uint32_t *)shards[i]);
			for (unsigned k = 0; k < size / 4; k++)
				rows[i][k] %= prime;
		}
		return "";
	}
	void run() override
	{
		const size_t words = size / 4;
		MFA_NTT<uint32_t, prime>(rows.data(), data, words, true);
		const uint32_t root = GF_Root<uint32_t, prime>(2 * data);
		uint32_t factor = GF_Inv<uint32_t, prime>(data);
		for (unsigned i = 0; i < data; i++) {
			uint32_t *row = rows[i];
			for (size_t k = 0; k < words; k++)
				row[k] = GF_Mul<uint32_t, prime>(row[k], factor);
			factor = GF_Mul<uint32_t, prime>(factor, root);
		}
		MFA_NTT<uint32_t, prime>(rows.data(), data, words, false);
	}
};

int main()
{
	FastECC peer;
	return serve(peer, "FastECC");
}
