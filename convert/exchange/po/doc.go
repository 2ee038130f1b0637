// Package po reads and writes gettext PO files, the format of translators' tools: one message for each text, with its
// source and its translation.
package po
