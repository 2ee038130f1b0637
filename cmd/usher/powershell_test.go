package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// powerShell splits a script into its words, and reports whether brackets and quotes close in order: what a PowerShell
// would refuse to load. Strings are one word each.
func powerShell(script string) (words []string, closed bool) {
	token := regexp.MustCompile("'(?:[^']|'')*'|\"(?:`.|[^\"`])*\"|\\[[\\w.]+\\]::\\w+|-?[$@]?[\\w.-]+|[(){}\\[\\]]|\\S")
	pairs := map[string]string{")": "(", "}": "{", "]": "["}
	var open []string
	for _, w := range token.FindAllString(script, -1) {
		words = append(words, w)
		switch w {
		case "(", "{", "[":
			open = append(open, w)
		case ")", "}", "]":
			if len(open) == 0 || open[len(open)-1] != pairs[w] {
				return words, false
			}
			open = open[:len(open)-1]
		case "'", `"`:
			return words, false
		}
	}
	return words, len(open) == 0
}

// TestPowerShellScript looks at the structure of the script, where there is no PowerShell to load it: it closes what it
// opens, registers a block of three parameters for both names of the program, calls the verb that completes, and uses
// no command that PowerShell does not have.
func TestPowerShellScript(t *testing.T) {
	script, err := completions.ReadFile("completion/powershell")
	if err != nil {
		t.Fatal(err)
	}
	words, closed := powerShell(string(script))
	if !closed {
		t.Errorf("brackets or quotes do not close in order: %q", words)
	}
	text := strings.Join(words, " ")
	for _, want := range []string{
		"Register-ArgumentCompleter -Native -CommandName usher , usher.exe -ScriptBlock { param ( $word , $ast , $position )",
		"& $ast . CommandElements [ 0 ]",
		" " + completeVerb + " powershell @typed ",
		"[System.Management.Automation.CompletionResult]::new ( $text , $candidate , 'ParameterValue' , $meaning )",
	} {
		if !strings.Contains(strings.ReplaceAll(text, "$ast.", "$ast . "), want) {
			t.Errorf("there is no %q in %s", want, text)
		}
	}
	for _, w := range words {
		if regexp.MustCompile(`^[A-Z][a-z]+-[A-Z]\w+$`).MatchString(w) &&
			!slices.Contains([]string{"Register-ArgumentCompleter", "Select-Object", "Where-Object", "ForEach-Object"}, w) {
			t.Errorf("PowerShell has no %s", w)
		}
	}
	for _, broken := range []string{"{ ( }", "{", "'a", `"b`, "[0"} {
		if _, closed := powerShell(broken); closed {
			t.Errorf("%s is taken for whole", broken)
		}
	}
}

// TestPowerShellAnswers: what the script gets is a candidate and its meaning with a tab between them, one a line; an
// empty word may come as two quotes, as some versions pass it on.
func TestPowerShellAnswers(t *testing.T) {
	for _, empty := range []string{"", `""`} {
		var out bytes.Buffer
		if err := complete(&out, newApp(verbs, nil, &out, &out), "powershell", []string{empty}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "convert\t") }) {
			t.Errorf("for %q: %q", empty, lines)
		}
		for _, l := range lines {
			if strings.Count(l, "\t") > 1 {
				t.Errorf("%q has more than a candidate and its meaning", l)
			}
		}
	}
}
