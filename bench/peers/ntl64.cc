// NTL's products in GF(2^64), to be compared with: go run -C bench ./papers run -peer ntl=PROGRAM pairs. With NTL
// installed that was configured for a processor with carry-less multiplication:
//
//	g++ -O3 -march=native -o ntl64 ntl64.cc -lntl -lgmp -lpthread
#include <NTL/GF2E.h>
#include <NTL/version.h>

#include "binary.h"

struct Ntl64 : BinaryPeer {
	std::vector<NTL::GF2E> x, y, z;
	size_t n = 0;

	Ntl64() {
		NTL::GF2X modulus;
		for (const long e : {64, 4, 3, 1, 0})
			NTL::SetCoeff(modulus, e);
		NTL::GF2E::init(modulus);
	}
	static NTL::GF2E element(uint64_t w) {
		unsigned char bytes[8];
		for (int i = 0; i < 8; i++)
			bytes[i] = static_cast<unsigned char>(w >> 8 * i);
		return NTL::conv<NTL::GF2E>(NTL::GF2XFromBytes(bytes, 8));
	}
	std::string open(const std::string &op, size_t count, const std::vector<uint64_t> &) override {
		if (op != "multiply")
			return op;
		n = count;
		return "";
	}
	void fill(const std::vector<uint64_t> &list) override {
		x.resize(n), y.resize(n), z.resize(n);
		for (size_t i = 0; i < n; i++)
			x[i] = element(list[i]), y[i] = element(list[n + i]);
	}
	void run() override {
		for (size_t i = 0; i < n; i++)
			NTL::mul(z[i], x[i], y[i]);
	}
	uint64_t result(size_t i) override {
		unsigned char bytes[8];
		NTL::BytesFromGF2X(bytes, NTL::rep(z[i]), 8);
		uint64_t w = 0;
		for (int j = 0; j < 8; j++)
			w |= uint64_t(bytes[j]) << 8 * j;
		return w;
	}
};

int main() {
	Ntl64 peer;
	return serve(peer, "NTL " NTL_VERSION);
}
