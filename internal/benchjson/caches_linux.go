package benchjson

import (
	"os"
	"path/filepath"
	"strings"
)

// Caches lists the data caches of the first processor with their sizes, as "L1 48K, L2 2048K, L3 266240K", or is empty
// where the system does not tell.
func Caches() string { return cachesIn("/sys/devices/system/cpu/cpu0/cache") }

func cachesIn(dir string) string {
	indexes, _ := filepath.Glob(filepath.Join(dir, "index*")) // the pattern is no bad one
	var list []string
	for _, index := range indexes {
		about := map[string]string{}
		for _, key := range []string{"type", "level", "size"} {
			text, err := os.ReadFile(filepath.Join(index, key))
			if err != nil {
				return ""
			}
			about[key] = strings.TrimSpace(string(text))
		}
		if about["type"] != "Instruction" {
			list = append(list, "L"+about["level"]+" "+about["size"])
		}
	}
	return strings.Join(list, ", ")
}
