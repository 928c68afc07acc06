package main

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every command has flags that there are, and is in the usage; operands are counted.
func TestCommands(t *testing.T) {
	var b strings.Builder
	usage(&b)
	for i := range commands {
		c := &commands[i]
		if !strings.Contains(b.String(), "\n  "+c.usage()+"\n") {
			t.Errorf("usage lacks %s", c.name)
		}
		operands := strings.Fields(c.operands)
		if _, err := c.parse(operands); err != nil {
			t.Errorf("%s %s: %v", c.name, operands, err)
		}
		if _, err := c.parse(append(operands, "more")); errors.Is(err, errUsage) == strings.HasSuffix(c.operands, "…") {
			t.Errorf("%s with an operand more: %v", c.name, err)
		}
		if len(operands) > 0 {
			if _, err := c.parse(operands[1:]); !errors.Is(err, errUsage) {
				t.Errorf("%s with an operand less: %v", c.name, err)
			}
		}
	}
	s, err := commands[0].parse([]string{"-min", "3", "-max", "4", "-time", "1s", "-commit", "c"})
	if err != nil || s.least != 3 || s.most != 4 || s.budget != time.Second || s.commit != "c" {
		t.Errorf("%+v, error %v", s, err)
	}
	for _, args := range [][]string{nil, {"none"}, {"draw", "x"}} {
		if err := execute(args); !errors.Is(err, errUsage) {
			t.Errorf("%q: error %v", args, err)
		}
	}
}

// bench/record.sh and documents call commands that there are.
func TestCommandsCalled(t *testing.T) {
	for name, least := range map[string]int{"record.sh": 9, "README.md": 4, "results/README.md": 8, "../docs/gfpf.md": 2} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		calls := regexp.MustCompile(`(?m)(?:go run -C bench (?:-tags \w+ )?\.|\{ peer|^\tpeer) (\w+)`).FindAllSubmatch(text, -1)
		if len(calls) < least {
			t.Errorf("%s: %d calls, want %d at least", name, len(calls), least)
		}
		for _, c := range calls {
			if !slices.ContainsFunc(commands, func(d command) bool { return d.name == string(c[1]) }) {
				t.Errorf("%s calls %s, and there is no such command", name, c[0])
			}
		}
	}
}
