package main

func Example() {
	main()
	// Output:
	// goldilocks: length 1048576, depth-first, natural order true
	// fft: wrong length: dst has 1000 elements, want 1048576 (1047576 too few)
}
