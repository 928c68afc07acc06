package own

import "example.org/m/other"

var mine int

func set() {
	mine = 1
	table[0] = 1
	other.Shown.X = 1
	table := []int{0}
	table[0]++
	other := struct{ Shown int }{}
	other.Shown = mine
}
