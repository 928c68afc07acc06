package memory

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

func system() (bytes uint64, ok bool) { return read(os.DirFS("/")) }

// read returns the least limit that the files of a system state.
func read(root fs.FS) (least uint64, ok bool) {
	meminfo, _ := fs.ReadFile(root, "proc/meminfo")
	least, ok = memTotal(meminfo)
	for _, name := range limits(root) {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			continue
		}
		// "max" is no number, and no limit.
		if n, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64); err == nil && (!ok || n < least) {
			least, ok = n, true
		}
	}
	return least, ok
}

func memTotal(meminfo []byte) (total uint64, ok bool) {
	for line := range bytes.Lines(meminfo) {
		if f := bytes.Fields(line); len(f) == 3 && string(f[0]) == "MemTotal:" {
			kb, err := strconv.ParseUint(string(f[1]), 10, 64-10)
			return kb << 10, err == nil
		}
	}
	return 0, false
}

// limits lists the files that may limit the process' memory: those of its control group and of the groups above it.
func limits(root fs.FS) (files []string) {
	cgroup, _ := fs.ReadFile(root, "proc/self/cgroup")
	mountinfo, _ := fs.ReadFile(root, "proc/self/mountinfo")
	v1, v2 := groups(cgroup)
	for _, m := range mounts(mountinfo) {
		group, file := v2, "memory.max"
		if m.v1 {
			group, file = v1, "memory.limit_in_bytes"
		}
		if group == "" {
			continue
		}
		// What is mounted may be a group itself. One outside of it, as of a process that was moved, is not seen.
		inside := ""
		if m.root == "/" {
			inside = group
		} else if rest, ok := strings.CutPrefix(group, m.root); ok && (rest == "" || rest[0] == '/') {
			inside = rest
		}
		for dir := path.Join(m.point, path.Join("/", inside)); ; dir = path.Dir(dir) {
			files = append(files, strings.TrimPrefix(path.Join(dir, file), "/"))
			if dir == m.point || dir == "/" {
				break
			}
		}
	}
	return files
}

// groups returns the control groups of a process, of the memory controller of version 1 and of version 2; empty is
// none.
func groups(cgroup []byte) (v1, v2 string) {
	for line := range strings.Lines(string(cgroup)) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3) // number, controllers, group
		switch {
		case len(f) < 3:
		case slices.Contains(strings.Split(f[1], ","), "memory"):
			v1 = f[2]
		case f[0] == "0" && f[1] == "":
			v2 = f[2]
		}
	}
	return v1, v2
}

// mount is where control groups are seen: the group root, and those in it, at point.
type mount struct {
	root, point string
	v1          bool
}

// mounts returns those of memory controllers; proc(5) has the format.
func mounts(mountinfo []byte) (all []mount) {
	for sc := bufio.NewScanner(bytes.NewReader(mountinfo)); sc.Scan(); {
		before, after, _ := strings.Cut(sc.Text(), " - ")
		// number, parent, device, root, point, …, and type, source, options
		f, g := strings.Fields(before), strings.Fields(after)
		if len(f) < 5 || len(g) < 3 {
			continue
		}
		v1 := g[0] == "cgroup" && slices.Contains(strings.Split(g[2], ","), "memory")
		if v1 || g[0] == "cgroup2" {
			all = append(all, mount{unescape.Replace(f[3]), unescape.Replace(f[4]), v1})
		}
	}
	return all
}

var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
