package choice

import "github.com/galfft/fft/field/bulks"

// First returns the place of the first bulk that serves transforms of length n, −1 where none does.
func First(n int, of []bulks.Bulk) int {
	for i, b := range of {
		if b.Traits().Serves(n) {
			return i
		}
	}
	return -1
}
