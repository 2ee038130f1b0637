// Package rows has the verbs of tables, shared by all formats: which stored row an edited one is, what of it somebody
// changed, and whether what is shown has arrived.
package rows
