package schema_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestHint: a hint follows the message on the command line, and is no part of it; the path before a hint is that before the message.
func TestHint(t *testing.T) {
	for _, c := range []struct {
		add  func(d *schema.Diagnostics)
		want schema.Diagnostic
		line string
	}{
		{func(d *schema.Diagnostics) { d.Hint("; --prune removes %d", 2).Warnf("rows", "a", "%d stay", 2) }, schema.Diagnostic{Path: "a", Msg: "2 stay", Hint: "; --prune removes 2"}, "a: warning: 2 stay; --prune removes 2 (rows)"},
		{func(d *schema.Diagnostics) { d.In("x").Hint(" (--y)").Warnf("rows", "a", "gone") }, schema.Diagnostic{Path: "x/a", Msg: "gone", Hint: " (--y)"}, "x/a: warning: gone (--y) (rows)"},
		{func(d *schema.Diagnostics) { d.Hint(" (--y)").In("x").Warnf("rows", "", "gone") }, schema.Diagnostic{Path: "x", Msg: "gone", Hint: " (--y)"}, "x: warning: gone (--y) (rows)"},
		{func(d *schema.Diagnostics) { d.Warnf("rows", "", "gone") }, schema.Diagnostic{Msg: "gone"}, "warning: gone (rows)"},
	} {
		d := new(schema.Diagnostics)
		c.add(d)
		c.want.Severity, c.want.Code, c.want.Offset = schema.Warning, "rows", -1
		if list := d.All(); len(list) != 1 || list[0] != c.want || list[0].String() != c.line || list[0].Text() != c.want.Msg+c.want.Hint {
			t.Errorf("%+v, want %+v", list, c.want)
		}
	}
	var none *schema.Diagnostics
	none.Hint("; --x").Warnf("rows", "", "nobody listens")
}

// TestHinted: an error has its hint for the command line, wherever it stands, keeps its class and its place, and can be had without.
func TestHinted(t *testing.T) {
	fault := schema.Errorf("utx", schema.ErrValue, "size", "odd")
	hinted := schema.Hinted(fault, "; --resize %s", "pow2")
	var two schema.Faults
	two.Add(hinted)
	two.Add(schema.Errorf("utx", schema.ErrRange, "", "far"))
	for _, c := range []struct {
		err           error
		text, without string
	}{
		{fault, "utx: size: odd", "utx: size: odd"},
		{hinted, "utx: size: odd; --resize pow2", "utx: size: odd"},
		{schema.In("A.B", hinted), "A.B: size: odd; --resize pow2", "A.B: size: odd"},
		{fmt.Errorf("x: %w", hinted), "x: utx: size: odd; --resize pow2", "x: utx: size: odd"},
		{fmt.Errorf("%w, so x", hinted), "utx: size: odd; --resize pow2, so x", "utx: size: odd, so x"},
		{two.Err(), "utx: size: odd; --resize pow2\nutx: far", "utx: size: odd\nutx: far"},
		{schema.In("A", two.Err()), "A: size: odd; --resize pow2\nA: far", "A: size: odd\nA: far"},
	} {
		if got := c.err.Error(); got != c.text || schema.Class(c.err) != schema.ErrValue {
			t.Errorf("%q, want %q; %v", got, c.text, schema.Class(c.err))
		}
		without := schema.Unhinted(c.err)
		if without.Error() != c.without || !errors.Is(without, schema.ErrValue) {
			t.Errorf("%q, want %q", without, c.without)
		}
	}
	if schema.Unhinted(nil) != nil {
		t.Error("nothing became an error")
	}
}
