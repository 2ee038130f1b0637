// Package game has what the INI files of Freelancer say: which of them the game reads, the records in them, and the names and
// files that those refer to. It also writes the records of new ships.
package game
