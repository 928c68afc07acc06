// NTL's products in GF(2^n), to be compared with: go run -C bench ./papers run -peer ntl=PROGRAM pairs, for n = 64, and
// bench/registercache. With NTL installed that was configured with gf2x, both for a processor with carry-less
// multiplication:
//
//	g++ -O3 -march=native -o ntlbinary ntlbinary.cc -lntl -lgf2x -lgmp -lpthread
//
// With -static in front of the libraries it runs on a machine that has none of them.
#include <NTL/GF2E.h>
#include <NTL/version.h>

#include "binary.h"

struct NtlBinary : BinaryPeer {
	std::vector<NTL::GF2E> x, y, z;
	size_t words = 1;	 // of an element
	uint64_t mask = 0; // of its last word

	std::string open(const std::string &op, size_t count, const std::vector<uint64_t> &exponents) override {
		if (op != "multiply")
			return op;
		const std::vector<uint64_t> list = exponents.empty() ? std::vector<uint64_t>{64, 4, 3, 1, 0} : exponents;
		NTL::GF2X modulus;
		for (const uint64_t e : list)
			NTL::SetCoeff(modulus, static_cast<long>(e));
		words = (list[0] + 63) / 64;
		mask = ~uint64_t(0) >> (64 * words - list[0]);
		x.clear(), y.clear(), z.clear(); // of the field before
		NTL::GF2E::init(modulus);
		x.resize(count / words), y.resize(count / words), z.resize(count / words);
		return "";
	}
	NTL::GF2E element(const uint64_t *w) const {
		std::vector<unsigned char> bytes(8 * words);
		for (size_t i = 0; i < bytes.size(); i++)
			bytes[i] = static_cast<unsigned char>((i / 8 == words - 1 ? w[i / 8] & mask : w[i / 8]) >> 8 * (i % 8));
		return NTL::conv<NTL::GF2E>(NTL::GF2XFromBytes(bytes.data(), static_cast<long>(bytes.size())));
	}
	void fill(const std::vector<uint64_t> &list) override {
		for (size_t i = 0; i < x.size(); i++)
			x[i] = element(&list[i * words]), y[i] = element(&list[(x.size() + i) * words]);
	}
	void run() override {
		for (size_t i = 0; i < x.size(); i++)
			NTL::mul(z[i], x[i], y[i]);
	}
	uint64_t result(size_t i) override {
		unsigned char bytes[8];
		NTL::GF2X part;
		NTL::RightShift(part, NTL::rep(z[i / words]), static_cast<long>(64 * (i % words)));
		NTL::BytesFromGF2X(bytes, part, 8);
		uint64_t w = 0;
		for (int j = 0; j < 8; j++)
			w |= uint64_t(bytes[j]) << 8 * j;
		return w;
	}
};

int main() {
	NtlBinary peer;
	return serve(peer, "NTL " NTL_VERSION);
}
