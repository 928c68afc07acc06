//go:build !linux || !(386 || amd64 || arm64)

package shards

// beginWrite does nothing: finish waits for all.
func beginWrite(uintptr, int64, int64) {}
