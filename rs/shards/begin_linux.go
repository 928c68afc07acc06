//go:build linux && (386 || amd64 || arm64)

package shards

import "syscall"

// beginWrite asks for it; where the system does not do so, finish does.
func beginWrite(fd uintptr, at, n int64) {
	const write = 2 // SYNC_FILE_RANGE_WRITE
	_ = syscall.SyncFileRange(int(fd), at, n, write)
}
