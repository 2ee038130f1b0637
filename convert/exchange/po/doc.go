// Package po reads and writes gettext's PO files, which translators' tools work on: a message for each text, with the
// source and its translation. It is the only importer of chai2010/gettext-go.
package po
