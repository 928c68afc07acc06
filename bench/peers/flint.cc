// FLINT's transforms by doubles (sd_fft), and its products of integers and of polynomials over a prime below 2^64, to be
// compared with: go run -C bench . programs PROGRAM. With FLINT 3 installed, configured with --enable-avx2:
//
//	clang++ -O3 -march=native -o flint flint.cc -lflint -lmpfr -lgmp
#include "peer.h"

#include <memory>
#include <unordered_map>

// After those of C++, which the macros of C's atomics would break.
#include <flint/fft_small.h>
#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/nmod_poly.h>
#include <flint/ulong_extras.h>

#if __FLINT_RELEASE < 30000
#error want FLINT 3, whose transforms are several times as fast as those of FLINT 2
#endif

struct Product {
	virtual ~Product() = default;
	virtual void load(const std::vector<std::string> &x) = 0;
	virtual void prepare() {}
	virtual void run() = 0;
	virtual std::vector<std::string> values() = 0;
};

// Transform is in place, of doubles that were converted before; what it leaves is not reduced. Its points are powers of a
// root of its own.
struct Transform : Product {
	const ulong p, n, depth;
	sd_fft_ctx_t context;
	double *x, *y;
	std::vector<ulong> index; // of the value at each power of ROOT, in bit-reversed order

	Transform(ulong p, ulong n, ulong root) : p(p), n(n), depth(FLINT_BIT_COUNT(n) - 1), index(n) {
		sd_fft_ctx_init_prime(context, p);
		sd_fft_ctx_fit_depth(context, depth);
		x = static_cast<double *>(flint_aligned_alloc(64, n_round_up(sizeof(double) * n, 64)));
		y = static_cast<double *>(flint_aligned_alloc(64, n_round_up(sizeof(double) * n, 64)));
		std::unordered_map<ulong, ulong> at; // the index of the value at a point
		for (ulong i = 0; i < n; i++)
			at[reduced(sd_fft_ctx_w(context, i))] = sd_fft_ctx_trunc_index(depth, i);
		for (ulong i = 0, power = 1; i < n; i++, power = n_mulmod2(power, root, p))
			index[n_revbin(i, depth)] = at.at(power);
	}
	~Transform() override {
		flint_aligned_free(x);
		flint_aligned_free(y);
		sd_fft_ctx_clear(context);
	}
	ulong reduced(double v) const {
		const slong rest = static_cast<slong>(v) % static_cast<slong>(p);
		return rest < 0 ? rest + p : rest;
	}
	void load(const std::vector<std::string> &words) override {
		for (ulong i = 0; i < n; i++)
			x[i] = static_cast<double>(std::stoull(words[i]));
	}
	void prepare() override { std::copy(x, x + n, y); }
	void run() override { sd_fft_trunc(context, y, depth, n, n); }
	std::vector<std::string> values() override {
		std::vector<std::string> list;
		for (ulong i = 0; i < n; i++)
			list.push_back(std::to_string(reduced(y[index[i]])));
		return list;
	}
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

// Integers does the operations of peer.h on integers of n words.
struct Integers : Product {
	const std::string op;
	const long n;
	fmpz_t a, b, c, d;
	char *text = nullptr;

	Integers(const std::string &op, long n) : op(op), n(n) {
		for (auto x : {a, b, c, d})
			fmpz_init(x);
	}
	~Integers() override {
		for (auto x : {a, b, c, d})
			fmpz_clear(x);
		flint_free(text);
	}
	void load(const std::vector<std::string> &x) override {
		std::vector<ulong> words;
		for (const std::string &word : x)
			words.push_back(std::stoull(word));
		const long first = op == "quo" ? 2 * n : n;
		fmpz_set_ui_array(a, words.data(), first);
		if (op == "mul" || op == "quo")
			fmpz_set_ui_array(b, words.data() + first, n);
		if (op == "parse")
			text = fmpz_get_str(nullptr, 10, a);
	}
	void prepare() override {
		if (op != "text")
			return;
		flint_free(text);
		text = nullptr;
	}
	void run() override {
		if (op == "mul")
			fmpz_mul(c, a, b);
		else if (op == "sqr")
			fmpz_mul(c, a, a);
		else if (op == "quo")
			fmpz_tdiv_qr(c, d, a, b);
		else if (op == "sqrt")
			fmpz_sqrt(c, a);
		else if (op == "text")
			text = fmpz_get_str(nullptr, 10, a);
		else
			fmpz_set_str(c, text, 10);
	}
	void append(std::vector<std::string> &list, long count, const fmpz_t x) {
		std::vector<ulong> words(count);
		fmpz_get_ui_array(words.data(), count, x);
		for (const ulong word : words)
			list.push_back(std::to_string(word));
	}
	std::vector<std::string> values() override {
		std::vector<std::string> list;
		if (op == "text")
			return {text};
		append(list, op == "quo" ? n + 1 : op == "sqrt" ? (n + 1) / 2 : op == "parse" ? n : 2 * n, c);
		if (op == "quo")
			append(list, n, d);
		return list;
	}
};

struct Flint : Peer {
	std::unique_ptr<Product> product;

	std::string open(const std::string &op, const std::string &prime, long n, const std::string &root) override {
		const ulong p = word(prime);
		if (op == "forward" && p != 0 && p >> 50 == 0 && n >= 256)
			product = std::make_unique<Transform>(p, n, word(root));
		else if (integerOperation(op))
			product = std::make_unique<Integers>(op, n);
		else if (op == "polymul" && p != 0)
			product = std::make_unique<Polynomials>(p, n);
		else
			return op + " modulo " + prime;
		return "";
	}
	void load(const std::vector<std::string> &x) override { product->load(x); }
	void prepare() override { product->prepare(); }
	void run() override { product->run(); }
	std::vector<std::string> values() override { return product->values(); }
};

int main() {
	Flint peer;
	return serve(peer, std::string("FLINT ") + flint_version);
}
