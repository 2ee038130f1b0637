// Package freelancer describes the UTF trees of Freelancer (2003) and every payload that is normally stored in them:
// .3db, .cmp, .dfm, .sph, .vms, .mat, .txm, .ale, .anm and .utf files; and what is no tree: collision hulls and compiled INI
// files.
//
// "Reference" in the comments means the project's format reference of Freelancer. Everything is little-endian; text
// is Windows-1252. The coordinate system is right-handed with +Y up and the nose of a ship at −Z; units are metres;
// front faces are counter-clockwise (reference section 4).
package freelancer
