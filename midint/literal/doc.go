// Package literal has the kernels of Cosmin Oancea and Stephen Watt, GPU Implementations for Midsize Integer Addition
// and Multiplication (arXiv:2405.14642), step by step as the paper has them: a block of threads is a loop over
// threads, and a barrier is the end of a loop. It is there to be compared with, and slow. Package midint computes the
// same.
//
// An integer is M words of 32 or 64 bits, lowest first, and integers are side by side. Threads hold Q words each, the
// sequentialisation factor. A block has as many integers as its [Shape] says. Where M is no multiple of what a thread
// holds, integers are padded with zeros on the way from global memory, and the last block of a batch with integers.
//
// One step differs. The scan of carries over several integers, as printed, gives the carry out of one integer to the
// first word of the next one. Here the first word of an integer takes none. Products are modulo 2^n, as the paper's.
//
// Products by [FFT] are modulo one prime. As the paper has them, digits of 15 or 31 bits and as many points as digits,
// they are products of integers for three digits at most. So there are two doors: CyclicModP is what the transforms
// compute, which is not a product; Mul and Poly are products, and refuse digits whose sums may reach the prime or whose
// indices may wrap. Their step of carries has a mask that is not in print, without which digits keep a bit too many.
package literal
