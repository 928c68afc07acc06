package benchjson

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/galfft/fft/internal/cpu"
)

// CPU is the processor's name, as package cpu has it.
func CPU() string { return cpu.Name() }

// Features are those of the processor, in one text.
func Features() string { return strings.Join(cpu.Features(), " ") }

// Heading tells in two lines what results without lines of their own were measured with: the processor and what it has,
// the tier, Go, the commit and the time.
func Heading(commit string) string {
	machine := "features " + Features()
	if caches := Caches(); caches != "" {
		machine += "; caches " + caches
	}
	return fmt.Sprintf("%s; %s\nkernels %v, %s, commit %s, %s\n", CPU(), machine, cpu.Active(), runtime.Version(), commit,
		Now())
}

// Now is the time of a measurement, to the second: lines of one day are told apart by it.
func Now() string { return time.Now().UTC().Format(time.RFC3339) }

// Commit is the revision that the program was built from, with +dirty behind it when files had changed since,
// or unknown.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return commitOf(info)
}

func commitOf(info *debug.BuildInfo) string {
	commit, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	return commit + dirty
}
