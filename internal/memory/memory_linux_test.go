package memory

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestMemTotal(t *testing.T) {
	n, ok := memTotal([]byte("MemFree:  17 kB\nMemTotal:       24689764 kB\nBuffers: 3 kB\n"))
	require.True(t, ok)
	require.Equal(t, uint64(24689764<<10), n)
	for _, s := range []string{"", "MemTotal:", "MemTotal: x kB", "MemTotal: 99999999999999999999999 kB",
		"MemTotal: 18014398509481984 kB"} {
		_, ok := memTotal([]byte(s))
		require.False(t, ok, "%q", s)
	}
}

func TestGroups(t *testing.T) {
	for text, want := range map[string][2]string{
		"0::/user.slice/a b\n": {"", "/user.slice/a b"},
		"0::/\n":               {"", "/"},
		"12:pids:/p\n5:cpu,memory:/docker/x:y\n0::/z\n": {"/docker/x:y", "/z"},
		"1:name=systemd:/s\n4:memorystat:/m\n":          {"", ""},
		"nonsense\n\n1:memory":                          {"", ""},
		"":                                              {"", ""},
	} {
		v1, v2 := groups([]byte(text))
		require.Equal(t, want, [2]string{v1, v2}, "%q", text)
	}
}

func TestMounts(t *testing.T) {
	require.Equal(t, []mount{{"/", "/sys/fs/cgroup", false}, {"/docker/x", "/sys/fs/cgroup/memory", true},
		{"/", "/a b\\", false}}, mounts([]byte(
		"22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"+
			"30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 master:2 - cgroup2 cgroup2 rw,nsdelegate\n"+
			"34 30 0:29 /docker/x /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"+
			"35 30 0:30 / /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n"+
			"36 30 0:31 / /a\\040b\\134 ro - cgroup2 none rw\n"+
			"37 30 0:31 /\n\n")))
}

// The least limit counts, of the machine, of the process' group or of one above it.
func TestRead(t *testing.T) {
	const (
		v2 = "30 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
		v1 = "34 30 0:29 /docker /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
	)
	for name, c := range map[string]struct {
		files map[string]string
		want  uint64
	}{
		"nothing": {nil, 0},
		"machine": {map[string]string{"proc/meminfo": "MemTotal: 4 kB\n"}, 4096},
		"no limit set": {map[string]string{"proc/meminfo": "MemTotal: 4 kB\n", "proc/self/mountinfo": v2,
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"}, 4096},
		"own group": {map[string]string{"proc/meminfo": "MemTotal: 4 kB\n", "proc/self/mountinfo": v2,
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "2000\n"}, 2000},
		"parent": {map[string]string{"proc/meminfo": "MemTotal: 4 kB\n", "proc/self/mountinfo": v2,
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max",
			"sys/fs/cgroup/a/memory.max": "1500"}, 1500},
		"least": {map[string]string{"proc/meminfo": "MemTotal: 4 kB\n", "proc/self/mountinfo": v2,
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "3000",
			"sys/fs/cgroup/a/memory.max": "1500", "sys/fs/cgroup/memory.max": "1000\n"}, 1000},
		"another's": {map[string]string{"proc/meminfo": "MemTotal: 4 kB\n", "proc/self/mountinfo": v2,
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/b/memory.max": "1"}, 4096},
		"group alone": {map[string]string{"proc/self/mountinfo": v2, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "77"}, 77},
		"moved away": {map[string]string{"proc/self/mountinfo": v2, "proc/self/cgroup": "0::/../x\n",
			"sys/fs/cgroup/memory.max": "78"}, 78},
		"version 1": {map[string]string{"proc/meminfo": "MemTotal: 4 kB\n", "proc/self/mountinfo": v1 + v2,
			"proc/self/cgroup": "5:memory:/docker/x\n0::/\n",
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   "2048\n"}, 2048},
		"outside": {map[string]string{"proc/self/mountinfo": v1, "proc/self/cgroup": "5:memory:/dockers\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "99"}, 99},
	} {
		root := fstest.MapFS{}
		for file, text := range c.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		got, ok := read(root)
		require.Equal(t, c.want, got, name)
		require.Equal(t, c.want > 0, ok, name)
	}
}
