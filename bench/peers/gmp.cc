// GMP's operations on integers, to be compared with: go run -C bench . huge PROGRAM. On Debian:
//
//	apt-get install libgmp-dev
//	g++ -O3 -march=native -o gmp gmp.cc -lgmp
#include <gmp.h>

#include "peer.h"

// Gmp does the operations of peer.h on integers of n words.
struct Gmp : Peer {
	std::string op;
	long n = 0;
	mpz_t a, b, c, d;
	std::string text;

	Gmp() { mpz_inits(a, b, c, d, nullptr); }
	~Gmp() { mpz_clears(a, b, c, d, nullptr); }
	std::string open(const std::string &name, const std::string &, long words, const std::string &) override {
		op = name;
		n = words;
		return integerOperation(op) ? "" : op;
	}
	void load(const std::vector<std::string> &x) override {
		std::vector<mp_limb_t> words;
		for (const std::string &word : x)
			words.push_back(std::stoull(word));
		const long first = op == "quo" ? 2 * n : n;
		mpz_import(a, first, -1, 8, 0, 0, words.data());
		if (op == "mul" || op == "quo")
			mpz_import(b, n, -1, 8, 0, 0, words.data() + first);
		if (op == "parse" || op == "text")
			text.resize(mpz_sizeinbase(a, 10) + 2);
		if (op == "parse")
			mpz_get_str(text.data(), 10, a);
	}
	void run() override {
		if (op == "mul")
			mpz_mul(c, a, b);
		else if (op == "sqr")
			mpz_mul(c, a, a);
		else if (op == "quo")
			mpz_tdiv_qr(c, d, a, b);
		else if (op == "sqrt")
			mpz_sqrt(c, a);
		else if (op == "text")
			mpz_get_str(text.data(), 10, a);
		else
			mpz_set_str(c, text.c_str(), 10);
	}
	static void append(std::vector<std::string> &list, long count, const mpz_t x) {
		for (long i = 0; i < count; i++)
			list.push_back(std::to_string(mpz_getlimbn(x, i)));
	}
	std::vector<std::string> values() override {
		std::vector<std::string> list;
		if (op == "text")
			return {text.c_str()};
		append(list, op == "quo" ? n + 1 : op == "sqrt" ? (n + 1) / 2 : op == "parse" ? n : 2 * n, c);
		if (op == "quo")
			append(list, n, d);
		return list;
	}
};

int main() {
	Gmp peer;
	return serve(peer, std::string("GMP ") + gmp_version);
}
