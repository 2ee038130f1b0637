package main

import (
	"bytes"
	"testing"
)

func TestPaint(t *testing.T) {
	for line, want := range map[string]string{
		"changed  a.utx  (unreal-package)": yellow + "changed" + plain + "  a.utx  (unreal-package)",
		"identical  a.utx":                 green + "identical" + plain + "  a.utx",
		"usher: nothing matched":           red + "usher:" + plain + " nothing matched",
		"a.cmp: loss: its colours (x)":     "a.cmp: " + yellow + "loss" + plain + ": its colours (x)",
		"changedness of a.utx":             "changedness of a.utx",
		"":                                 "",
	} {
		if got := paint(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestColoursAreForTerminals(t *testing.T) {
	if colours(new(bytes.Buffer)) {
		t.Error("a pipe gets colours")
	}
}
