// NTL's product of polynomials over a prime of any size, to be compared with: go run -C bench . programs PROGRAM. With
// NTL installed that was configured for this machine, by NTL_ENABLE_AVX_FFT=on, which Debian's is not:
//
//	g++ -O3 -march=native -o ntl ntl.cc -lntl -lgmp -lpthread
#include <NTL/ZZ_pX.h>
#include <NTL/lzz_pX.h>
#include <NTL/version.h>

#include <memory>

#include "peer.h"

#if defined(__x86_64__) && !defined(NTL_ENABLE_AVX_FFT)
#error want NTL configured with NTL_ENABLE_AVX_FFT=on, whose transforms are about twice as fast as without
#endif

// Product is one over numbers of a type: zz_p has primes of up to NTL_SP_NBITS bits, ZZ_p all.
struct Product {
	virtual ~Product() = default;
	virtual void load(const std::vector<std::string> &x) = 0;
	virtual void run() = 0;
	virtual std::vector<std::string> values() = 0;
};

template <class Element, class Polynomial> struct ProductOf : Product {
	const long n;
	Polynomial a, b, c;

	explicit ProductOf(long n) : n(n) {}
	void load(const std::vector<std::string> &x) override {
		for (long i = 0; i < n; i++) {
			NTL::SetCoeff(a, i, NTL::conv<Element>(NTL::conv<NTL::ZZ>(x[i].c_str())));
			NTL::SetCoeff(b, i, NTL::conv<Element>(NTL::conv<NTL::ZZ>(x[n + i].c_str())));
		}
	}
	void run() override { NTL::mul(c, a, b); }
	std::vector<std::string> values() override {
		std::vector<std::string> list;
		for (long i = 0; i < 2 * n - 1; i++) {
			std::ostringstream text;
			text << NTL::coeff(c, i);
			list.push_back(text.str());
		}
		return list;
	}
};

struct Ntl : Peer {
	std::unique_ptr<Product> product;

	std::string open(const std::string &op, const std::string &prime, long n, const std::string &) override {
		if (op != "polymul")
			return op;
		product.reset(); // before its modulus goes
		const uint64_t p = word(prime);
		if (p != 0 && p >> NTL_SP_NBITS == 0) {
			NTL::zz_p::init(p);
			product = std::make_unique<ProductOf<NTL::zz_p, NTL::zz_pX>>(n);
		} else {
			NTL::ZZ_p::init(NTL::conv<NTL::ZZ>(prime.c_str()));
			product = std::make_unique<ProductOf<NTL::ZZ_p, NTL::ZZ_pX>>(n);
		}
		return "";
	}
	void load(const std::vector<std::string> &x) override { product->load(x); }
	void run() override { product->run(); }
	std::vector<std::string> values() override { return product->values(); }
};

int main() {
	Ntl peer;
	return serve(peer, "NTL " NTL_VERSION);
}
