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
// Its products by FFT are not here: they overflow their prime from four digits on.
package literal
