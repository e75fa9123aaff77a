# Groups source files that can be compiled as one: prints "GROUP FILE" for each file named on the command line.
# Files of one group never define the same name in their unnamed namespaces, so no rule binds the names of the sources: where
# two files use one name, they land in different groups; functions with other parameters too, because a call would silently
# take the overload of another file where that fits better; but not where a parameter has a type of the file itself. A file
# that configures what it includes by macros, or that has a `using namespace` of its own, gets group 0: it is compiled alone,
# because both would reach into its neighbours. Macros with parameters are names like others.
# Usage: awk -v size=32 -f unity_groups.awk FILES...
FNR == 1 { files[++count] = FILENAME; unnamed = 0; raw = "" }
raw == "" && /^#define [A-Z_0-9]+\(/ {
  name = $2; sub(/\(.*/, "", name)
  names[FILENAME] = names[FILENAME] "\n" name
  meaning[FILENAME, name] = FILENAME
  next
}
/^(#[ ]*define|using namespace)/ && raw == "" { alone[FILENAME] = 1 }
raw != "" { if (index($0, raw)) raw = ""; next }                            # inside a raw string: shaders, pages
match($0, /R"[A-Za-z_]*\(/) {
  close_text = ")" substr($0, RSTART + 2, RLENGTH - 3) "\""
  if (!index(substr($0, RSTART + RLENGTH), close_text)) raw = close_text
}
/^namespace \{/ { unnamed = 1; next }
/^\}  \/\/ namespace$/ { unnamed = 0; next }
!unnamed || !/^[A-Za-z]/ || /^(TEST|RC_GTEST|INSTANTIATE|template|namespace|static_assert)/ { next }
{
  text = $0
  while (text !~ /[{;=)]/ && (getline line) > 0) { sub(/^ +/, "", line); text = text " " line }   # on several lines
  whole = text
  sub(/^(static|inline|constexpr|const|extern) /, "", text)
  if (text ~ /^using [A-Za-z_0-9:]+;/) {
    name = text; sub(/;.*/, "", name); sub(/.*[: ]/, "", name)
  } else if (match(text, /^(struct|class|enum class|enum|using) [A-Za-z_0-9]+/)) {
    name = substr(text, RSTART, RLENGTH); sub(/.* /, "", name)
    local_type[FILENAME, name]
  } else {
    while (gsub(/<[^<>()]*>/, "", text)) {}                                  # template arguments
    if (!match(text, /[A-Za-z_][A-Za-z_0-9:]*(\[[^\]]*\])?[ ]*[({=;]/)) next
    name = substr(text, RSTART, RLENGTH); sub(/[ \[({=;].*/, "", name)
    if (substr(text, RSTART + RLENGTH - 1, 1) == "(") name = name own_types(substr(text, RSTART + RLENGTH))
  }
  if (name ~ /:/) next                                                       # a member, outside of its class
  names[FILENAME] = names[FILENAME] "\n" name
  meaning[FILENAME, name] = whole ~ /^using / ? whole : FILENAME
}
# The types among the parameters that the file itself defines: no call of another file can mean such a function.
function own_types(list,    words, n, k, found) {
  sub(/\).*/, "", list)
  n = split(list, words, /[^A-Za-z_0-9]+/)
  for (k = 1; k <= n; ++k) if ((FILENAME, words[k]) in local_type) found = found " " words[k]
  return found == "" ? "" : "(" found
}
# The first group with less than so many members that shares no name with the file.
function group_for(file, most,    g, k, n, own, clash) {
  n = split(names[file], own, "\n")
  for (g = 1; g <= groups; ++g) {
    if (members[g] >= most) continue
    clash = 0
    for (k = 1; k <= n && !clash; ++k) clash = own[k] != "" && (g, own[k]) in taken && taken[g, own[k]] != meaning[file, own[k]]
    if (!clash) break
  }
  return g
}
END {
  groups = 0
  for (i = 1; i <= count; ++i) {
    file = files[i]
    if (file in alone) { print 0, file; continue }
    g = group_for(file, size)
    if (g > groups && groups * size >= count) g = group_for(file, count)        # rather a longer group than a short one more
    if (g > groups) groups = g
    ++members[g]
    n = split(names[file], own, "\n")
    for (k = 1; k <= n; ++k) taken[g, own[k]] = meaning[file, own[k]]
    print g, file
  }
}
