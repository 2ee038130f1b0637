// Package freelancer converts between Freelancer's UTF files and assets. The functions of one kind of file are typed:
// Model("cmp") reads, writes, lifts and lowers compound models, [Hulls] collision files, [Animations] and [Effects] theirs.
package freelancer
