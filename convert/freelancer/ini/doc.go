// Package ini has the text of Freelancer's INI files, of which the game has most compiled: what is written of those, and what is
// made into one again.
package ini
