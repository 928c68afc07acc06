// Vectors of catid/leopard: g++ -O2 -mavx2 -I DIR leopard.cc DIR/*.cpp, where DIR has github.com/catid/leopard.
#include "vectors.h"
#include "leopard.h"

int main()
{
	static const unsigned words[][3] = {{2, 2, 64}, {10, 4, 1024}, {100, 30, 192}, {128, 128, 64}, {200, 17, 64},
		{1000, 200, 64}, {300, 300, 128}, {1024, 1024, 64}, {5000, 3, 64}, {32768, 32768, 64}};
	leo_init();
	for (auto &w : words) {
		unsigned data = w[0], parity = w[1], size = w[2], count = leo_encode_work_count(data, parity);
		uint8_t **s = fill(data, size), **z = fill(count, size);
		if (leo_encode(size, data, parity, count, (const void *const *)s, (void **)z) != Leopard_Success)
			return 1;
		unsigned m = 1;
		while (m < parity)
			m *= 2;
		print(data + m <= 256 ? "leopard8" : "leopard16", data, parity, size, z);
	}
}
