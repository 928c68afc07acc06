// HEXL's transform, to be compared with: go run -C bench . programs PROGRAM. With HEXL installed:
//
//	clang++ -O3 -march=native -o hexl hexl.cc -lhexl
#include <hexl/hexl.hpp>

#include <memory>

#include "peer.h"

struct Hexl : Peer {
	std::unique_ptr<intel::hexl::NTT> ntt;
	intel::hexl::AlignedVector64<uint64_t> x, y; // of whole cache lines, as its loads and stores are

	std::string open(const std::string &op, const std::string &prime, long n, const std::string &root) override {
		if (op != "negacyclic")
			return op;
		const uint64_t p = word(prime), w = word(root);
		if (n < 2 || n > 1 << 20 || p == 0 || p >> 62)
			return "length or prime";
		ntt = std::make_unique<intel::hexl::NTT>(n, p, w);
		y.assign(n, 0);
		return "";
	}
	void load(const std::vector<std::string> &numbers) override {
		x.clear();
		for (const std::string &s : numbers)
			x.push_back(std::stoull(s));
	}
	void run() override { ntt->ComputeForward(y.data(), x.data(), 1, 1); }
	std::vector<std::string> values() override {
		std::vector<std::string> list;
		for (uint64_t v : y)
			list.push_back(std::to_string(v));
		return list;
	}
};

int main() {
	Hexl peer;
	return serve(peer, "HEXL 1.2");
}
