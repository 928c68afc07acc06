// What the programs here have in common with vectors_test.go: the data, and a line for a word.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t **fill(unsigned shards, unsigned size)
{
	uint8_t **s = (uint8_t **)malloc(shards * sizeof *s);
	for (unsigned i = 0; i < shards; i++) {
		s[i] = (uint8_t *)aligned_alloc(64, (size + 63) / 64 * 64);
		for (unsigned j = 0; j < size; j++) {
			uint32_t x = i * 2654435761u + j * 40503u + 12345;
			s[i][j] = x >> 16 ^ x >> 5;
		}
	}
	return s;
}

// fnv is the FNV-1a sum of shards.
static uint64_t fnv(uint8_t **shards, unsigned count, unsigned size)
{
	uint64_t sum = 14695981039346656037u;
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < size; j++)
			sum = (sum ^ shards[i][j]) * 1099511628211u;
	return sum;
}

// print has the sum of all parity.
static inline void print(const char *code, unsigned data, unsigned parity, unsigned size, uint8_t **shards)
{
	printf("%s %u %u %u %016llx\n", code, data, parity, size, (unsigned long long)fnv(shards, parity, size));
}
