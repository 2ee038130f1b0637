// Package read holds the bounded cursor that all format readers are written with. The packages below it turn the bytes
// of one family into the types of package schema; they never see the writers.
package read
