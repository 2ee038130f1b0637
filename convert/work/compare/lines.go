package compare

import "sort"

// partedEdits is edits for long texts: what stands between the lines that both sides have once, in the same order.
func partedEdits(a, b []string) (list []edit) {
	marks := anchors(a, b)
	if len(marks) == 0 {
		return []edit{{0, a, b}}
	}
	i, k := 0, 0
	for _, m := range append(marks, [2]int{len(a), len(b)}) {
		for _, e := range edits(a[i:m[0]], b[k:m[1]]) {
			e.at += k
			list = append(list, e)
		}
		i, k = m[0]+1, m[1]+1
	}
	return list
}

// anchors returns the places of lines that stand once on either side: the longest run of them that is in order on both.
func anchors(a, b []string) (run [][2]int) {
	places := map[string][2]int{} // of lines that stand once in b, and −1 where there are several; and how often in a
	for k, line := range b {
		if _, twice := places[line]; twice {
			k = -1
		}
		places[line] = [2]int{k, 0}
	}
	for _, line := range a {
		if p, ok := places[line]; ok {
			places[line] = [2]int{p[0], p[1] + 1}
		}
	}
	var once [][2]int
	for i, line := range a {
		if p := places[line]; p[0] >= 0 && p[1] == 1 {
			once = append(once, [2]int{i, p[0]})
		}
	}
	return ascending(once)
}

// ascending returns the longest run of pairs whose second numbers ascend as the first ones do.
func ascending(list [][2]int) (run [][2]int) {
	var ends []int // numbers in list: the lowest end of a run of each length
	before := make([]int, len(list))
	for i, x := range list {
		n := sort.Search(len(ends), func(n int) bool { return list[ends[n]][1] >= x[1] })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	run = make([][2]int, len(ends))
	for n, i := len(ends)-1, ends[len(ends)-1]; n >= 0; n, i = n-1, before[i] {
		run[n] = list[i]
	}
	return run
}
