// Products of polynomials by NTL: the least of some times, for comparison with
// galfft bench --op polymul. On Debian:
//
//	apt-get install libntl-dev
//	g++ -O3 -march=native -o ntl ntl.cc -lntl -lgmp -lpthread
//	./ntl 21888242871839275222246405745257275088548364400416034343698204186575808495617 16
#include <NTL/ZZ_pX.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
	if (argc != 3) {
		std::fprintf(stderr, "usage: ntl PRIME LOG2-OF-COEFFICIENTS\n");
		return 2;
	}
	NTL::ZZ_p::init(NTL::conv<NTL::ZZ>(argv[1]));
	NTL::ZZ_pX a, b, c;
	NTL::random(a, 1L << std::atol(argv[2]));
	NTL::random(b, 1L << std::atol(argv[2]));
	double least = 1e9;
	for (int i = 0; i < 20; i++) {
		const auto start = std::chrono::steady_clock::now();
		NTL::FFTMul(c, a, b);
		const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
		least = std::min(least, time.count());
	}
	std::printf("%.3g ms\n", least);
}
