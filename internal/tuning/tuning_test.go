package tuning

import (
	"bufio"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
)

var fake = Header{CPU: "A CPU", Features: "x y", Tiers: "generic x", Go: "go9", Module: "v9"}

// line is a line for the length n.
func line(n int) Line {
	return Line{Key{field.TuningKey{Form: `words "p"`, Bytes: 8, N: n, Workers: 2}, cpu.Active()},
		field.Tuned{Algorithm: field.FourStep, Base: 64, Strip: 16, Radix: 8, Twiddles: field.TwoLevel, Tasks: 2}, "1µs # or so"}
}

// productLine is a line on the products of a field.
func productLine(name string) ProductLine {
	return ProductLine{ProductKey{name, cpu.Active()}, field.TunedProducts{Schoolbook: 20}, "why # not"}
}

// deviceLine is a line on a field on some device.
func deviceLine(name string) DeviceLine {
	return DeviceLine{DeviceKey{name, "a card", cpu.Active()}, field.TunedDevice{From: 4096}, "why"}
}

// table is one of lines for some lengths.
func table(h Header, lengths ...int) *Table {
	t := newTable(h)
	for _, n := range lengths {
		t.Add(line(n))
	}
	return t
}

func TestText(t *testing.T) {
	both := table(fake, 64, 8)
	both.AddProducts(productLine(`*a.F "p"`))
	both.AddProducts(productLine("*a.F"))
	both.AddDevice(deviceLine("F"))
	text := string(both.Text())
	require.Equal(t, `galfft-tuning 3
# Choices that galfft tune measured. Plans load this file: docs/tuning.md in galfft's repository.
# What stands before => is the key, what comes after it the choice; auto and 0 leave it to the plan.
# Lines may be removed. GALFFT_TUNE=off makes programs go without the file.
cpu A CPU
features x y
tiers generic x
go go9
module v9

`+line(8).String()+"\n"+line(64).String()+"\n\n"+productLine("*a.F").String()+"\n"+
		productLine(`*a.F "p"`).String()+"\n\n"+deviceLine("F").String()+"\n\nend\n", text)
	require.Equal(t, fmt.Sprintf(`device field="F" device="a card" tier=%v => from=4096 # why`, cpu.Active()),
		deviceLine("F").String())
	require.Equal(t, fmt.Sprintf(`transform n=8 order=natural workers=2 batch=false bytes=8 tier=%v form="words \"p\"" `+
		`field="" => scheme=fourstep base=64 strip=16 radix=8 twiddles=two-level tasks=2 # 1µs # or so`, cpu.Active()),
		line(8).String())
	require.Equal(t, fmt.Sprintf(`product field="*a.F \"p\"" tier=%v => schoolbook=20 # why # not`, cpu.Active()),
		productLine(`*a.F "p"`).String())
	got, err := Parse("f", []byte(text), fake)
	require.NoError(t, err)
	require.Equal(t, fake, got.Header)
	require.Equal(t, 5, got.Len())
	d, ok := got.TunedDevice("F", "a card")
	require.True(t, ok)
	require.Equal(t, field.TunedDevice{From: 4096, Source: "f:17"}, d)
	_, ok = got.TunedDevice("F", "another")
	require.False(t, ok)
	p, ok := got.TunedProducts(`*a.F "p"`)
	require.True(t, ok)
	require.Equal(t, field.TunedProducts{Schoolbook: 20, Source: "f:15"}, p)
	_, ok = got.TunedProducts("*a.G")
	require.False(t, ok)
	v, ok := got.Tuned(line(64).Key.TuningKey)
	require.True(t, ok)
	want := line(64).Tuned
	want.Source = "f:12"
	require.Equal(t, want, v)
	_, ok = got.Tuned(line(32).Key.TuningKey)
	require.False(t, ok)
	require.Equal(t, text, string(got.Text()))
}

// A line holds for the tier that it was measured on.
func TestTier(t *testing.T) {
	present := cpu.Present()
	if len(present) == 1 {
		t.Skip("there is no second tier of kernels")
	}
	m := table(fake, 8)
	m.AddProducts(productLine("F"))
	measured := cpu.Active()
	undo, err := cpu.Use(present[0])
	require.NoError(t, err)
	_, ok := m.Tuned(line(8).Key.TuningKey)
	require.Equal(t, measured == present[0], ok)
	_, ok = m.TunedProducts("F")
	require.Equal(t, measured == present[0], ok)
	undo()
}

// Everything that is no file of this machine is an ErrTuning that names the place and the reason.
func TestParseErrors(t *testing.T) {
	both := table(fake, 8, 64)
	both.AddProducts(productLine("F"))
	good := string(both.Text())
	one, product := line(8).String(), productLine("F").String()
	change := func(old, new string) string {
		require.Equal(t, 1, strings.Count(good, old), old)
		return strings.Replace(good, old, new, 1)
	}
	for _, c := range []struct{ text, want string }{
		{"", "f: the file is empty"},
		{"galfft-tuning 3", "f:1: cut off"},
		{"galfft-tuning 3\n", `f:1: cut off: want "end"`},
		{"#!/bin/sh\n", `f:1: "#!/bin/sh", want "galfft-tuning 3": the file is no table`},
		{change("galfft-tuning 3", "galfft-tuning 1"), `f:1: format "1", want 3, that of this version: remove the file and measure again`},
		{change("A CPU", "Another"), `f: measured on another machine: processor "Another", and this one has "A CPU"`},
		{change("x y", "x"), `f: measured on another machine: features "x", and this one has "x y"`},
		{change("generic x", "generic"), `measured on another machine: tiers "generic"`},
		{change("features x y\n", ""), `f:6: "tiers generic x", want a line of the header that starts with "features"`},
		{strings.TrimSuffix(good, "end\n"), `f:15: cut off: want "end" in the last line`},
		{strings.TrimSuffix(good, "\n"), "f:16: cut off: the line does not end"},
		{good + "more\n", `f:17: "more" after the end`},
		{change(one, one+"\n"+one), "f:12: a second line for this key"},
		{change(one, "schoolbook"), `f:11: "schoolbook", want a line that starts with transform, product or device`},
		{change(product, product+"\n"+deviceLine("F").String()+"\n"+deviceLine("F").String()), "f:16: a second line for this key"},
		{change(product, strings.Replace(deviceLine("F").String(), "4096", "0", 1)), "f:14: from=0: want at least 1"},
		{change(product, strings.Replace(deviceLine("F").String(), "4096", "4096 threads=48", 1)),
			"f:14: threads=48, want a power of two from 32 to 1024"},
		{change(product, strings.Replace(deviceLine("F").String(), "4096", "4096 threads=0", 1)),
			"f:14: threads=0: want at least 1"},
		{change(product, "device"), "f:14: "},
		{change(product, product+"\n"+product), "f:15: a second line for this key"},
		{change("schoolbook=20", "schoolbook=-1"), "f:14: schoolbook=-1: want at least 0"},
		{change("schoolbook=20", "schoolbook=2000"), "f:14: schoolbook=2000: want at most 1024"},
		{change("schoolbook=20", "schoolbook=020"), "f:14: not in the form that is written"},
		{change(product, "product"), "f:14: "},
		{change("n=8 ", "n=0 "), "f:11: n=0: want at least 1"},
		{change("n=8 ", "n=08 "), "f:11: not in the form that is written"},
		{change("n=8 ", "n=99999999999999999999 "), "f:11: n=99999999999999999999: "},
		{change("n=8 ", "m=8 "), `f:11: "m=8 `},
		{change("n=8 order=natural", "n=8 order=random"), "f:11: order=random: "},
		{change(one, one[:40]), "f:11: "},
		{change(one, strings.Replace(one, "base=64", "base=63", 1)), "base case 63, want a power of two"},
		{change(one, strings.Replace(one, "strip=16", "strip=-2", 1)), "strip=-2: want at least 0"},
		{change(one, strings.Replace(one, "tasks=2", "tasks=3", 1)), "tasks=3, want at most the workers, 2"},
		{change(one, strings.Replace(one, "fourstep", "fivestep", 1)), "scheme=fivestep: "},
		{change(one, strings.Replace(one, "=>", "->", 1)), "want => here"},
		{change(one, strings.Replace(one, ` field=""`, ` field=x`, 1)), "f:11: field=x: "},
		{change(one, strings.Replace(one, " # ", "  # ", 1)), "f:11: not in the form"},
		{good + strings.Repeat("#\n", most), "want at most"},
	} {
		m, err := Parse("f", []byte(c.text), fake)
		require.ErrorIs(t, err, field.ErrTuning, "%s", c.want)
		require.ErrorContains(t, err, c.want)
		require.Nil(t, m)
	}
	// Every file that was cut off is found.
	for i := range len(good) {
		_, err := Parse("f", []byte(good[:i]), fake)
		require.ErrorIs(t, err, field.ErrTuning, "%d bytes", i)
	}
}

func FuzzParse(f *testing.F) {
	both := table(fake, 8, 64)
	both.AddProducts(productLine("F"))
	good := string(both.Text())
	f.Add([]byte(good))
	f.Add([]byte(strings.Replace(good, "cpu A CPU", "family CPU", 1)))
	f.Add([]byte(good[:200]))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse("f", text, fake)
		if err != nil {
			require.ErrorIs(t, err, field.ErrTuning)
			require.Nil(t, m)
			return
		}
		again, err := Parse("f", m.Text(), fake)
		require.NoError(t, err)
		require.Equal(t, m.Text(), again.Text())
		for _, l := range m.Lines() {
			require.NoError(t, l.Tuned.Check())
		}
	})
}

// What is written is read again, whatever the names.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := table(fake)
		for range rapid.IntRange(0, 5).Draw(t, "lines") {
			power := rapid.Map(rapid.IntRange(0, 20), func(k int) int { return 1 << k &^ 1 })
			l := Line{Key: Key{field.TuningKey{Form: rapid.String().Draw(t, "form"), Field: rapid.String().Draw(t, "field"),
				Bytes: rapid.IntRange(0, 99).Draw(t, "bytes"), N: rapid.IntRange(1, 99).Draw(t, "n"),
				Order: field.Order(rapid.IntRange(0, 2).Draw(t, "order")), Workers: 4, Batch: rapid.Bool().Draw(t, "batch")},
				cpu.Tier(rapid.IntRange(0, 4).Draw(t, "tier"))},
				Tuned: field.Tuned{Algorithm: field.Algorithm(rapid.IntRange(0, 8).Draw(t, "scheme")),
					Base: power.Draw(t, "base"), Strip: power.Draw(t, "strip"), Radix: power.Draw(t, "radix"),
					Twiddles: field.Twiddles(rapid.IntRange(0, 2).Draw(t, "twiddles")),
					Tasks:    rapid.IntRange(0, 4).Draw(t, "tasks")}}
			m.Add(l)
			m.AddProducts(ProductLine{ProductKey{rapid.String().Draw(t, "product"), l.Key.Tier},
				field.TunedProducts{Schoolbook: rapid.IntRange(0, mostSchoolbook).Draw(t, "schoolbook")}, ""})
			m.AddDevice(DeviceLine{DeviceKey{rapid.String().Draw(t, "name"), rapid.String().Draw(t, "device"), l.Key.Tier},
				field.TunedDevice{From: rapid.IntRange(1, 99).Draw(t, "from"),
					Threads: rapid.SampledFrom([]int{0, 32, 128, 1024}).Draw(t, "threads")}, ""})
		}
		got, err := Parse("f", m.Text(), fake)
		require.NoError(t, err)
		require.Equal(t, string(m.Text()), string(got.Text()))
	})
}

func TestSave(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "tuning.txt")
	require.NoError(t, table(Here(), 8).Save(file))
	last := table(Here(), 16)
	last.AddProducts(productLine("F"))
	last.AddDevice(deviceLine("F"))
	require.NoError(t, last.Save(file))
	require.NoError(t, table(Here()).Save(file))
	m, err := Read(file, Here())
	require.NoError(t, err)
	require.Equal(t, []Line{line(8), line(16)}, plain(m))
	require.Equal(t, 4, m.Len())
	require.Equal(t, Here(), m.Header)

	// A file of somebody else stays.
	for _, text := range []string{"mine", string(table(fake, 8).Text())} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		require.ErrorIs(t, table(Here(), 8).Save(file), field.ErrTuning)
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, text, string(got))
	}
	_, err = Read(file+"x", Here())
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorIs(t, err, field.ErrTuning)
	require.ErrorIs(t, table(Here(), 8).Save(filepath.Join(file, "below")), field.ErrTuning, "a file is no directory")
	dir := t.TempDir()
	require.ErrorIs(t, table(Here(), 8).Save(dir), field.ErrTuning, "a directory is no file")
}

// plain is the lines without their sources.
func plain(t *Table) (list []Line) {
	for _, l := range t.Lines() {
		l.Tuned.Source = ""
		list = append(list, l)
	}
	return list
}

// No line of tuners that save at once is lost.
func TestConcurrent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tuning.txt")
	const tuners = 8
	var wg sync.WaitGroup
	for i := range tuners {
		wg.Go(func() {
			for j := range 4 {
				save := func() error { return table(Here(), 1+i+tuners*j).Save(file) }
				err := save()
				for err != nil && strings.Contains(err.Error(), "is locked by another program") {
					err = save() // who waits long gives up, which a slow disk brings about
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	m, err := Read(file, Here())
	require.NoError(t, err)
	require.Equal(t, 4*tuners, m.Len())
}

// TestMain lets the test program be a tuner that saves until it is killed.
func TestMain(m *testing.M) {
	if file := os.Getenv("TUNING_TEST_SAVE"); file != "" {
		for n := 1; ; n = n%100 + 1 {
			t := table(Here())
			for i := range n {
				t.Add(line(1 + i))
			}
			if err := t.Save(file); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Println("saved")
		}
	}
	os.Exit(m.Run())
}

// Whenever tuners are killed, the file is a whole one, and the next tuner can save.
func TestKill(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tuning.txt")
	require.NoError(t, table(Here(), 1000).Save(file))
	r := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		tuner := exec.Command(os.Args[0])
		tuner.Env = append(os.Environ(), "TUNING_TEST_SAVE="+file)
		var says strings.Builder
		tuner.Stderr = &says
		out, err := tuner.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, tuner.Start())
		saved, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, "saved\n", saved)
		time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
		require.NoError(t, tuner.Process.Kill())
		require.Error(t, tuner.Wait())
		require.Empty(t, says.String(), "it was killed, and did not fail before")
		m, err := Read(file, Here())
		require.NoError(t, err)
		_, ok := m.Tuned(line(1000).Key.TuningKey)
		require.True(t, ok, "the line of before")
	}
	require.NoError(t, table(Here(), 1001).Save(file))
	m, err := Read(file, Here())
	require.NoError(t, err)
	require.Greater(t, m.Len(), 2, "the tuners' lines")
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir) // Linux; other systems take HOME or AppData
	t.Setenv("HOME", dir)
	t.Setenv("AppData", dir)
	t.Setenv(Variable, "")
	file, err := Path()
	require.NoError(t, err)
	require.Equal(t, "tuning.txt", filepath.Base(file))

	built := table(fake, 8, 32)
	built.AddProducts(productLine("F"))
	built.AddProducts(productLine("G"))
	built.Header.CPU, built.Header.Family = "CPU", true
	other := table(fake, 64)
	other.Header.CPU, other.Header.Family = "Other", true
	files := fstest.MapFS{
		"defaults/README.md": {Data: []byte("no table")},
		"defaults/a.txt":     {Data: other.Text()},
		"defaults/b.txt":     {Data: built.Text()},
	}
	here := func() Header { return fake }
	source := func(l *Loaded, n int) string {
		v, _ := l.Tuned(line(n).Key.TuningKey)
		return v.Source
	}
	l := load(files, here)
	require.NoError(t, l.Err, "no file of the user is none that is bad")
	require.Equal(t, "built-in b.txt:11", source(l, 8))
	require.Empty(t, source(l, 64))

	// Lines of the user go before those that are built in.
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
	own := table(fake, 8, 16)
	own.AddProducts(productLine("F"))
	require.NoError(t, os.WriteFile(file, own.Text(), 0o666))
	l = load(files, here)
	require.NoError(t, l.Err)
	require.Equal(t, file, l.File)
	require.Equal(t, []string{file + ":11", file + ":12", "built-in b.txt:12"},
		[]string{source(l, 8), source(l, 16), source(l, 32)})
	for name, want := range map[string]string{"F": file + ":14", "G": "built-in b.txt:15", "H": ""} {
		p, _ := l.TunedProducts(name)
		require.Equal(t, want, p.Source)
	}

	// A bad file is an error, and what is built in stays.
	require.NoError(t, os.WriteFile(file, table(Header{CPU: "Foreign"}, 8).Text(), 0o666))
	l = load(files, here)
	require.ErrorIs(t, l.Err, field.ErrTuning)
	require.ErrorContains(t, l.Err, `processor "Foreign", and this one has "A CPU"`)
	require.Equal(t, "built-in b.txt:11", source(l, 8))

	t.Setenv(Variable, filepath.Join(dir, "none"))
	l = load(files, here)
	require.ErrorIs(t, l.Err, fs.ErrNotExist, "a file that was named is there")

	t.Setenv(Variable, Off)
	l = load(files, here)
	require.Equal(t, new(Loaded), l)
	require.Empty(t, source(l, 8))
	path, err := Path()
	require.NoError(t, err)
	require.Empty(t, path)
}

// A program of somebody who never tuned reads nothing about the processor.
func TestLoadNothing(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AppData", t.TempDir())
	t.Setenv(Variable, "")
	l := load(fstest.MapFS{}, func() Header { t.Error("the machine was asked"); return fake })
	require.NoError(t, l.Err)
	require.True(t, l.None())
}

// The built-in tables are good, and each says its family.
func TestDefaults(t *testing.T) {
	names, err := fs.Glob(defaults, "defaults/*.txt")
	require.NoError(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(defaults, name)
		require.NoError(t, err)
		var h Header
		for line := range strings.Lines(string(text)) {
			for _, p := range (&Header{Family: true}).head() {
				if value, ok := strings.CutPrefix(line, p.name+" "); ok {
					value = strings.TrimSuffix(value, "\n")
					switch p.name {
					case "family":
						h.CPU = value
					case "features":
						h.Features = value
					case "tiers":
						h.Tiers = value
					}
				}
			}
		}
		require.NotEmpty(t, h.CPU, "%s says its family", name)
		_, err = Parse(name, text, h)
		require.NoError(t, err)
	}
}

func TestVersion(t *testing.T) {
	own := debug.BuildInfo{Main: debug.Module{Path: module, Version: "v1"}}
	user := debug.BuildInfo{Main: debug.Module{Path: "x", Version: "v9"}, Deps: []*debug.Module{{Path: "y"},
		{Path: module, Version: "v2"}}}
	require.Equal(t, []string{"v1", "v2", "unknown"},
		[]string{versionIn(&own), versionIn(&user), versionIn(new(debug.BuildInfo))})
}

// A lock that another has is waited for, and given up in the end.
func TestLock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(file)
	require.NoError(t, err)
	other, err := os.OpenFile(file, os.O_RDWR, 0)
	require.NoError(t, err)
	defer other.Close()
	taken, err := tryLock(other)
	require.NoError(t, err)
	require.False(t, taken)
	unlock()
	taken, err = tryLock(other)
	require.NoError(t, err)
	require.True(t, taken)
}
