// Package freelancer converts between Freelancer's files and assets. The functions of each kind of file are typed:
// [Model]("cmp") reads, writes, lifts and lowers compound models, [Hulls] collision files, [Animations] and [Effects]
// theirs, [BINI] compiled INI files. The parts of a file, such as a hardpoint or a mesh, are read by package
// read/freelancer.
//
// [Formats] lists all formats of the family.
package freelancer
