// FLINT's products of integers, and of polynomials over a prime below 2^64, to be compared with:
// go run -C bench . programs PROGRAM. With FLINT 3 installed:
//
//	g++ -O3 -o flint flint.cc -lflint -lgmp
#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/nmod_poly.h>

#include <memory>

#include "peer.h"

#if __FLINT_RELEASE < 30000
#error want FLINT 3, whose transforms are several times as fast as those of FLINT 2
#endif

struct Product {
	virtual ~Product() = default;
	virtual void load(const std::vector<std::string> &x) = 0;
	virtual void run() = 0;
	virtual std::vector<std::string> values() = 0;
};

struct Polynomials : Product {
	const long n;
	nmod_poly_t a, b, c;

	Polynomials(ulong p, long n) : n(n) {
		nmod_poly_init2(a, p, n);
		nmod_poly_init2(b, p, n);
		nmod_poly_init2(c, p, 2 * n);
	}
	~Polynomials() override {
		nmod_poly_clear(a);
		nmod_poly_clear(b);
		nmod_poly_clear(c);
	}
	void load(const std::vector<std::string> &x) override {
		for (long i = 0; i < n; i++) {
			nmod_poly_set_coeff_ui(a, i, std::stoull(x[i]));
			nmod_poly_set_coeff_ui(b, i, std::stoull(x[n + i]));
		}
	}
	void run() override { nmod_poly_mul(c, a, b); }
	std::vector<std::string> values() override {
		std::vector<std::string> list;
		for (long i = 0; i < 2 * n - 1; i++)
			list.push_back(std::to_string(nmod_poly_get_coeff_ui(c, i)));
		return list;
	}
};

struct Integers : Product {
	const long n;
	fmpz_t a, b, c;

	explicit Integers(long n) : n(n) {
		fmpz_init(a);
		fmpz_init(b);
		fmpz_init(c);
	}
	~Integers() override {
		fmpz_clear(a);
		fmpz_clear(b);
		fmpz_clear(c);
	}
	void load(const std::vector<std::string> &x) override {
		std::vector<ulong> words;
		for (const std::string &word : x)
			words.push_back(std::stoull(word));
		fmpz_set_ui_array(a, words.data(), n);
		fmpz_set_ui_array(b, words.data() + n, n);
	}
	void run() override { fmpz_mul(c, a, b); }
	std::vector<std::string> values() override {
		std::vector<ulong> words(2 * n);
		fmpz_get_ui_array(words.data(), 2 * n, c);
		std::vector<std::string> list;
		for (const ulong word : words)
			list.push_back(std::to_string(word));
		return list;
	}
};

struct Flint : Peer {
	std::unique_ptr<Product> product;

	std::string open(const std::string &op, const std::string &prime, long n, const std::string &) override {
		const ulong p = word(prime);
		if (op == "mul")
			product = std::make_unique<Integers>(n);
		else if (op == "polymul" && p != 0)
			product = std::make_unique<Polynomials>(p, n);
		else
			return op + " modulo " + prime;
		return "";
	}
	void load(const std::vector<std::string> &x) override { product->load(x); }
	void run() override { product->run(); }
	std::vector<std::string> values() override { return product->values(); }
};

int main() {
	Flint peer;
	return serve(peer, std::string("FLINT ") + flint_version);
}
