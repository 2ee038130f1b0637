package schema

import "embed"

// References are the references of the formats, in Markdown: a folder for each family, with a README.md and what is too
// long for it.
//
//go:embed */*.md
var References embed.FS
