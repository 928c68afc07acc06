package plot

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/galfft/fft/internal/svg"
)

// attribute is a key of lines by which they are chosen and told apart.
type attribute struct {
	key  string
	of   func(l *Line) string
	show func(v string) string // in a name; "" where it says nothing
}

func itself(v string) string { return v }

// unless shows what is not the usual value.
func unless(usual, before string) func(string) string {
	return func(v string) string {
		if v == usual || v == "" {
			return ""
		}
		return before + v
	}
}

// module has the name of a module, without what stands before it and the version behind.
var module = regexp.MustCompile(`([^/]*?)(?:/v\d+)?$`)

var attributes = []attribute{
	{"field", func(l *Line) string { return l.Field }, itself},
	{"op", func(l *Line) string { return l.Op }, itself},
	{"peer", func(l *Line) string { return module.FindStringSubmatch(l.Peer)[1] }, itself},
	{"scheme", func(l *Line) string { return l.Scheme }, unless("auto", "")},
	{"base", func(l *Line) string { return strconv.Itoa(l.Base) }, unless("0", "base ")},
	{"order", func(l *Line) string { return l.Order }, func(v string) string {
		if v == "" {
			return ""
		}
		return v + " order"
	}},
	{"batch", func(l *Line) string { return strconv.Itoa(l.Batch) }, unless("1", "batch ")},
	{"workers", func(l *Line) string { return strconv.Itoa(l.Workers) }, func(v string) string {
		if v == "1" {
			return "1 worker"
		}
		return v + " workers"
	}},
	{"backend", func(l *Line) string { return l.Backend }, unless("cpu", "")},
	{"residency", func(l *Line) string { return l.Residency }, unless("host", "on the ")},
	{"tier", func(l *Line) string { return l.Tier }, itself},
	{"commit", func(l *Line) string { return l.Commit }, func(v string) string { return "commit " + v }},
	{"n", func(l *Line) string { return svg.Power(l.N) }, func(v string) string { return "length " + v }},
}

// Keys lists what Where chooses by.
func Keys() (list []string) {
	for _, a := range attributes {
		list = append(list, a.key)
	}
	return list
}

// Where keeps the lines whose key has one of the values. A value that no line has is an error, which lists those that
// there are.
func Where(all []Line, key string, values ...string) (kept []Line, err error) {
	i := slices.IndexFunc(attributes, func(a attribute) bool { return a.key == key })
	if i < 0 {
		return nil, fmt.Errorf("plot: lines are not chosen by %q, want one of %q", key, Keys())
	}
	var have []string
	for j := range all {
		v := attributes[i].of(&all[j])
		if slices.Contains(values, v) {
			kept = append(kept, all[j])
		}
		if !slices.Contains(have, v) {
			have = append(have, v)
		}
	}
	for _, v := range values {
		if !slices.Contains(have, v) {
			return nil, fmt.Errorf("plot: no line has %s=%s, lines have %q", key, v, have)
		}
	}
	return kept, nil
}

// names tells lines apart: name has what differs among them, without the keys left out, and common what does not.
func names(all []Line, without ...string) (name func(l *Line) string, common string) {
	var differ []attribute
	var same []string
	for _, a := range attributes {
		if slices.Contains(without, a.key) {
			continue
		}
		first := a.of(&all[0])
		if slices.ContainsFunc(all, func(l Line) bool { return a.of(&l) != first }) {
			differ = append(differ, a)
		} else if s := a.show(first); s != "" && a.key != "commit" {
			same = append(same, s)
		}
	}
	return func(l *Line) string {
		var parts []string
		for _, a := range differ {
			if s := a.show(a.of(l)); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ", ")
	}, strings.Join(same, ", ")
}

// foot says what all was measured with.
func foot(all []Line) string {
	text := all[0].CPU
	var commits []string
	device := ""
	for _, l := range all {
		if l.Device != "" {
			device = "; " + l.Device + ", CUDA " + l.Driver
		}
		day, _, _ := strings.Cut(l.Date, "T")
		c := strings.Trim(fmt.Sprintf("commit %s, %s", cmp.Or(l.Commit, "unknown"), day), ", ")
		if !slices.Contains(commits, c) {
			commits = append(commits, c)
		}
	}
	return text + device + "; " + strings.Join(commits, "; ")
}
