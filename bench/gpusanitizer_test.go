package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// gpu.sh sanitize runs each test by a pattern that go test takes apart as it is meant, and fails where one did not run.
func TestSanitize(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("for the machines that have a GPU")
	}
	script, err := os.ReadFile("gpu.sh")
	require.NoError(t, err)
	run := func(missing string) (string, error) {
		dir := t.TempDir()
		tool := func(name, text string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/usr/bin/env bash\n"+text), 0o777))
		}
		tool("gpu.sh", string(script))
		tool("nvidia-smi", "echo a card")
		// The names that the script wants pass, where the pattern has as many levels, and each has the level's name.
		tool("compute-sanitizer", `
pattern=${@: -1}
IFS=/ read -ra levels <<< "$pattern"
source <(sed -n '/^sanitized_names() {/,/^}/p' "$(dirname "$0")/gpu.sh")
for name in $(sanitized_names); do
	IFS=/ read -ra parts <<< "$name"
	(( ${#parts[@]} == ${#levels[@]} )) || continue
	for i in "${!parts[@]}"; do
		[[ ${parts[i]} =~ ${levels[i]} ]] || continue 2
	done
	[[ $name == "$MISSING" ]] || echo "--- PASS: $name (0.1s)"
done
[[ $GALFFT_LIST_KERNELS ]] || exit 0
echo kernel nothing pass 0
case $pattern in
*GF2Moduli*) echo kernel gf2 gf2_sum 3 ;;
*GF2Queues*) echo kernel gf2 gf2_sum 4 ;;
*LongIntegers*) echo kernel midpass midpass_sum 5 ;;
esac
[[ $MISSING != gf2_sum ]] || echo kernel gf2 gf2_square 0
[[ $MISSING != midpass_sum ]] || echo kernel midpass midpass_join_long 0
echo kernel digits fold 0
echo kernel digits pass 1`)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "commit"), []byte("abc1234\n"), 0o666))
		c := exec.Command(filepath.Join(dir, "gpu.sh"), "sanitize", filepath.Join(dir, "out"))
		c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "MISSING="+missing)
		said, err := c.CombinedOutput()
		files, globErr := filepath.Glob(filepath.Join(dir, "out", "*-sanitizer.txt"))
		require.NoError(t, globErr)
		require.Len(t, files, 1, "%s", said)
		text, readErr := os.ReadFile(files[0])
		require.NoError(t, readErr)
		return string(text), err
	}
	text, err := run("")
	require.NoError(t, err, "%s", text)
	for _, name := range []string{"TestWhole/p32", "TestDigits/P7", "TestDigitContext", "TestQueues/long"} {
		require.Equal(t, 4, strings.Count(text, "--- PASS: "+name+" "), "%s, by four tools", name)
	}
	for _, name := range []string{"TestConformance/P3/bulk", "TestDigits/P2"} {
		require.Equal(t, 3, strings.Count(text, "--- PASS: "+name+" "), "%s, by all tools but racecheck", name)
		require.Contains(t, text, "left out: "+name+"\n")
	}
	for _, line := range []string{"ran gf2 gf2_sum 7\n", "did not run digits fold 0\n", "ran digits pass "} {
		require.Equal(t, 4, strings.Count(text, "\n"+line), "%s, by four tools", line)
	}
	require.NotContains(t, text, "nothing", "of which nothing ran")
	text, err = run("gf2_sum")
	require.Error(t, err, "of binary fields all kernels run")
	require.Contains(t, text, "did not run gf2 gf2_square 0")
	text, err = run("midpass_sum")
	require.Error(t, err, "of midsize integers too")
	require.Contains(t, text, "did not run midpass midpass_join_long 0")
	text, err = run("TestWhole/p62")
	require.Error(t, err)
	require.Contains(t, text, "TestWhole/p62 did not run")
}
