//go:build unix

package shards

import "syscall"

// openFiles is how many files a process may have open.
func openFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return fewFiles
	}
	return int(min(uint64(limit.Cur), mostFiles))
}
