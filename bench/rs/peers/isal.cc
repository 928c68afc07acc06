// ISA-L for bench/rs: g++ -O2 -I DIR/include isal.cc DIR/bin/isa-l.a, where DIR is github.com/intel/isa-l, made by
// make -f Makefile.unx lib, version 2.31 or later.
#include "peer.h"
#include "erasure_code.h"
#include <cstring>

struct ISAL : Peer {
	std::vector<unsigned char> matrix, tables;
	std::string open(const std::string &code) override
	{
		if (code != "matrix")
			return "it has no such code";
		for (unsigned i = 0; i < parity * data; i++) {
			unsigned x;
			std::cin >> x;
			matrix.push_back(x);
		}
		tables.resize(32 * data * parity);
		ec_init_tables(data, parity, matrix.data(), tables.data());
		return "";
	}
	void run() override { ec_encode_data(size, data, parity, tables.data(), shards.data(), shards.data() + data); }
};

int main()
{
	ISAL peer;
	return serve(peer, "ISA-L");
}
