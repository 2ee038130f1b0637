// Package hull converts the hulls of collision files: from the stored form to bodies that a model shows, and from the hulls
// of an edited model back to a file ([Editor]).
package hull
