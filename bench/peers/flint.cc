// FLINT's product of polynomials over a prime below 2^64, to be compared with: go run -C bench . programs PROGRAM. With FLINT
// 3 installed:
//
//	g++ -O3 -o flint flint.cc -lflint -lgmp
#include <flint/flint.h>
#include <flint/nmod_poly.h>

#include "peer.h"

struct Flint : Peer {
	nmod_poly_t a, b, c;
	long n = 0;

	std::string open(const std::string &op, const std::string &prime, long length, const std::string &) override {
		if (op != "polymul")
			return op;
		const ulong p = word(prime);
		if (p == 0)
			return "prime";
		close();
		n = length;
		nmod_poly_init2(a, p, n);
		nmod_poly_init2(b, p, n);
		nmod_poly_init2(c, p, 2 * n);
		return "";
	}
	void close() {
		if (n == 0)
			return;
		nmod_poly_clear(a);
		nmod_poly_clear(b);
		nmod_poly_clear(c);
	}
	~Flint() override { close(); }
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

int main() {
	Flint peer;
	return serve(peer, std::string("FLINT ") + flint_version);
}
