//go:build !linux

package benchjson

// Caches is empty: only Linux tells the sizes of caches in files.
func Caches() string { return "" }
