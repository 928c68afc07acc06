// libSTARK's additive FFT of arbitrary subspaces, the code of M. Hamilis' thesis, to be compared with:
// go run -C bench ./papers run -peer libstark=PROGRAM additive. With the sources of libSTARK
// (github.com/elibensasson/libSTARK) in DIR:
//
//	g++ -O3 -march=native -fopenmp -I DIR/algebra/FFT/src -o libstark libstark.cc DIR/algebra/FFT/src/*.cpp
#include "FFT.h"

#include <cstring>
#include <memory>

#include "binary.h"

struct LibStark : BinaryPeer {
	std::unique_ptr<FFF::FFT> fft;
	size_t n = 0;
	bool inverse = false, products = false;
	FFF::Element *values = nullptr; // by malloc, as its own code has it
	std::vector<FFF::Element> x, y;

	~LibStark() override { std::free(values); }

	static FFF::Element element(uint64_t x) {
		FFF::Element e;
		e.c[0] = x;
		return e;
	}
	std::string open(const std::string &op, size_t count, const std::vector<uint64_t> &list) override {
		n = count, inverse = op == "inverse", products = op == "multiply";
		fft.reset();
		if (products)
			return "";
		if (op != "forward" && !inverse)
			return op;
		if (list.size() < 3)
			return "fewer than four points";
		std::vector<FFF::Element> basis;
		for (size_t i = 0; i + 1 < list.size(); i++)
			basis.push_back(element(list[i]));
		FFF::Element shift = element(list.back());
		FFF::set_omp_state(threads());
		FFF::Basis b(basis.data(), basis.size(), shift);
		fft = std::make_unique<FFF::FFT>(b, inverse ? FFF::IFFT_OP : FFF::FFT_OP);
		std::free(values);
		values = static_cast<FFF::Element *>(std::malloc(n * sizeof(FFF::Element)));
		return "";
	}
	void fill(const std::vector<uint64_t> &list) override {
		if (!products) {
			std::memcpy(static_cast<void *>(values), list.data(), n * sizeof(uint64_t));
			return;
		}
		x.resize(n), y.resize(n);
		for (size_t i = 0; i < n; i++)
			x[i] = element(list[i]), y[i] = element(list[n + i]);
	}
	void run() override {
		if (products)
			FFF::Element::c_vecMul(x.data(), y.data(), y.data(), n);
		else if (inverse)
			fft->AlgIFFT(values);
		else
			fft->AlgFFT(&values, n);
	}
	uint64_t result(size_t i) override { return products ? y[i].c[0] : values[i].c[0]; }
};

int main() {
	LibStark peer;
	return serve(peer, "libSTARK");
}
