package own

var table [2]int
