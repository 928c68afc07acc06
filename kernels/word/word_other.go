//go:build purego || (!amd64 && !arm64)

package word

func Shoup30() *Set[uint32]      { return nil }
func Shoup31() *Set[uint32]      { return nil }
func Montgomery32() *Set[uint32] { return nil }
func IFMA50() *Set[uint64]       { return nil }
func Double50() *Set[uint64]     { return nil }
func Shoup62() *Set[uint64]      { return nil }
func Shoup63() *Set[uint64]      { return nil }
func Montgomery64() *Set[uint64] { return nil }
func Goldilocks() *Set[uint64]   { return nil }
