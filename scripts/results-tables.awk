# Rewrites the tables of results/README.md between `<!-- begin -->` and `<!-- end -->`: one for each kind of puzzle, sorted by
# file. With -v key="| NAME.csv |" and -v row="..." it replaces the row of that file, or adds it.
function sort_rows(   i, j, t) {
    for (i = 2; i <= n; i++) { t = rows[i]; for (j = i - 1; j >= 1 && rows[j] > t; j--) rows[j + 1] = rows[j]; rows[j + 1] = t }
}
function print_rows(   i, kind, last) {
    for (i = 1; i <= n; i++) {
        kind = substr(rows[i], 3); sub(/[-.].*/, "", kind)
        if (kind != last) {
            print "\n### `" kind "`\n"
            print "| file | experiment | answer | states | verified | commit | machine | time |"
            print "|---|---|---|---:|---|---|---|---:|"
        }
        print rows[i]; last = kind
    }
    print ""
}
/^<!-- begin -->/ { print; inside = 1; next }
/^<!-- end -->/ { if (row != "") rows[++n] = row; sort_rows(); print_rows(); inside = 0 }
inside && key != "" && index($0, key) == 1 { next }
inside && /^\| [^|]*\.csv \|/ { rows[++n] = $0; next }
inside { next }
{ print }
