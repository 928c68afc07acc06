// Kernels that move digits, for all k: see digitkernels.cuh.
#include "prelude.cuh"

// from is the place of element j of row i in the source: see field.Copy.
DEVICE u64 from(u64 i, u64 j, u64 src, u32 transpose, const i32 *row_perm, const i32 *column_perm) {
	if (row_perm != nullptr)
		i = row_perm[i];
	if (column_perm != nullptr)
		j = column_perm[j];
	return transpose ? j * src + i : i * src + j;
}

KERNEL(256)
void digits_copy(u64 *to, u64 to_pitch, const u64 *v, u64 pitch, u32 rows, u32 width, u64 dst, u64 src,
		 const i32 *row_perm, const i32 *column_perm) {
	u32 e = (u32)index();
	if (e >= rows * width)
		return;
	u32 i = e / width, j = e % width;
	to[block_y() * to_pitch + i * dst + j] = v[block_y() * pitch + from(i, j, src, 0, row_perm, column_perm)];
}

const u32 side = 32;

KERNEL(256)
void digits_transpose(u64 *to, u64 to_pitch, const u64 *v, u64 pitch, u32 rows, u32 width, u64 dst, u64 src,
		      const i32 *row_perm, const i32 *column_perm) {
	u64 *s = shared<u64>();
	u32 across = (width + side - 1) / side, i0 = block() / across * side, j0 = block() % across * side;
	for (u32 e = thread(); e < side * side; e += threads()) {
		u32 i = i0 + e % side, j = j0 + e / side;
		if (i < rows && j < width)
			s[e / side * (side + 1) + e % side] = v[block_y() * pitch + from(i, j, src, 1, row_perm, column_perm)];
	}
	barrier();
	for (u32 e = thread(); e < side * side; e += threads()) {
		u32 i = i0 + e / side, j = j0 + e % side;
		if (i < rows && j < width)
			to[block_y() * to_pitch + i * dst + j] = s[e % side * (side + 1) + e / side];
	}
}

KERNEL(256)
void digits_reorder(u64 *v, u64 pitch, u32 bits) {
	u32 t = min(bits / 2, 5u), n = 1u << t, middle = bits - 2 * t;
	u32 m = block() & ((1u << middle) - 1), other = reversed(m, middle);
	if (other < m)
		return;
	v += block_y() * pitch + ((u64)(block() >> middle) << bits);
	u64 *s = shared<u64>(), *u = s + n * (n + 1);
	for (u32 e = thread(); e < n * n; e += threads()) {
		u64 row = (u64)(e >> t) << (bits - t) | (e & (n - 1));
		u32 at = reversed(e & (n - 1), t) * (n + 1) + reversed(e >> t, t);
		s[at] = v[row | (u64)m << t];
		u[at] = v[row | (u64)other << t];
	}
	barrier();
	for (u32 e = thread(); e < n * n; e += threads()) {
		u64 row = (u64)(e >> t) << (bits - t) | (e & (n - 1));
		u32 at = (e >> t) * (n + 1) + (e & (n - 1));
		v[row | (u64)other << t] = s[at];
		v[row | (u64)m << t] = u[at];
	}
}
