// GMP's product of integers, to be compared with: go run -C bench . programs PROGRAM. On Debian:
//
//	apt-get install libgmp-dev
//	g++ -O3 -march=native -o gmp gmp.cc -lgmp
#include <gmp.h>

#include "peer.h"

struct Gmp : Peer {
	std::vector<mp_limb_t> x, y, z;

	std::string open(const std::string &op, const std::string &, long n, const std::string &) override {
		if (op != "mul")
			return op;
		x.resize(n);
		y.resize(n);
		z.resize(2 * n);
		return "";
	}
	void load(const std::vector<std::string> &words) override {
		for (size_t i = 0; i < x.size(); i++) {
			x[i] = std::stoull(words[i]);
			y[i] = std::stoull(words[x.size() + i]);
		}
	}
	void run() override { mpn_mul_n(z.data(), x.data(), y.data(), x.size()); }
	std::vector<std::string> values() override {
		std::vector<std::string> list;
		for (const mp_limb_t word : z)
			list.push_back(std::to_string(word));
		return list;
	}
};

int main() {
	Gmp peer;
	return serve(peer, std::string("GMP ") + gmp_version);
}
