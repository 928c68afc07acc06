// Vectors of zfec's own code: gcc -O2 -I DIR zfec.c DIR/fec.c, where DIR is zfec/ of github.com/tahoe-lafs/zfec.
#include "vectors.h"
#include "fec.h"

int main(void)
{
	static const unsigned words[][3] = {{1, 1, 5}, {3, 2, 100}, {10, 4, 1000}, {20, 30, 333}, {200, 56, 77}, {5, 0, 8}};
	fec_init();
	for (unsigned w = 0; w < sizeof words / sizeof *words; w++) {
		unsigned data = words[w][0], parity = words[w][1], size = words[w][2], numbers[256];
		uint8_t **s = fill(data, size), **z = fill(parity, size);
		fec_t *code = fec_new(data, data + parity);
		for (unsigned i = 0; i < parity; i++)
			numbers[i] = data + i;
		fec_encode(code, (const uint8_t *const *)s, z, numbers, parity, size);
		print("zfec", data, parity, size, z);
	}
}
