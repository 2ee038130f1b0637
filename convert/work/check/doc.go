// Package check tells what a game would stumble over: the families know what that is, the package which files are meant, what the
// installed game has as well, and how mends get onto the disk.
package check
