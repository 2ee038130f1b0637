package codepage

// pairs are the pages that have characters of two bytes: none in a browser, where their tables would be a tenth of what has to be
// loaded first, and nobody can ask for them.
var pairs []*Page
