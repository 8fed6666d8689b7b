# Sums the coverage of an LCOV file by folders of src/ of all crates, without test code. Variables: root, the path of the checkout with a slash;
# floors, the file with minimum percentages, or nothing; markdown, the file for the table; uncovered, the file for uncovered lines and branches.

# Returns the first line of the module with tests at the end of a source file.
function first_test_line(path, line, number, is_test, found) {
  while ((getline line <path) > 0) {
    number++
    if (is_test && line ~ /^mod [a-z_]+ \{$/) { found = number; break }
    is_test = line ~ /^#\[cfg\(test\)\]$/ || (is_test && line ~ /^#\[/)
  }
  close(path)
  return found ? found : 1e9
}

function add(folder) {
  lines[folder] += here_lines; covered_lines[folder] += here_covered_lines
  branches[folder] += here_branches; covered_branches[folder] += here_covered_branches
}

function percent(part, whole) { return whole ? sprintf("%.1f", int(1000 * part / whole) / 10) : "" }

/^SF:/ {
  path = substr($0, 4)
  sub("^" root, "", path)
  module = path
  sub(/^crates\/[^\/]+\//, "", module)
  is_counted = module ~ /^src\// && path !~ /(^|[\/_])tests(\.rs|\/)/
  end = is_counted ? first_test_line(path) : 0
  here_lines = here_covered_lines = here_branches = here_covered_branches = 0
}
/^DA:/ && is_counted {
  split(substr($0, 4), field, ",")
  if (field[1] >= end) next
  here_lines++
  if (field[2] > 0) here_covered_lines++
  else print path ":" field[1] ": line" >uncovered
}
/^BRDA:/ && is_counted {
  split(substr($0, 6), field, ",")
  if (field[1] >= end) next
  here_branches++
  if (field[4] != "-" && field[4] > 0) here_covered_branches++
  else print path ":" field[1] ": branch " field[3] >uncovered
}
/^end_of_record/ && is_counted {
  count = split(module, step, "/")
  add("all")
  if (count > 2) add(step[2])
  if (count > 3) add(step[2] "/" step[3])
}

END {
  print "| folder | lines | covered | branches | covered |\n|---|---:|---:|---:|---:|" >>markdown
  printf "%-32s %8s %8s %9s %8s\n", "folder", "lines", "covered", "branches", "covered"
  close(markdown)
  sort = "sort"
  for (folder in lines) {
    line = percent(covered_lines[folder], lines[folder])
    branch = percent(covered_branches[folder], branches[folder])
    printf "%-32s %8d %7s%% %9d %7s%%\n", folder, lines[folder], line, branches[folder], branch | sort
    row[folder] = sprintf("| `%s` | %d | %s %% | %d | %s %% |", folder, lines[folder], line, branches[folder], branch)
  }
  close(sort)
  for (folder in row) print row[folder] | (sort " >>" markdown)
  close(sort " >>" markdown)
  while (floors != "" && (getline <floors) > 0) {
    if ($0 ~ /^#/) continue
    checked++
    line = percent(covered_lines[$1], lines[$1])
    branch = percent(covered_branches[$1], branches[$1])
    if (line + 0 < $2 || branch + 0 < $3) {
      printf "src/%s: %s %% of lines and %s %% of branches are covered; the minimum is %s and %s\n", $1, line, branch, $2, $3
      failed = 1
    }
  }
  if (floors != "" && !checked) { print floors ": no floors"; failed = 1 }
  exit failed
}
