package benchjson

import (
	"runtime/debug"
)

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
