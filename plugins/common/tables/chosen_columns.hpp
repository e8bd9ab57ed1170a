// The columns that options name, by name, index or pattern.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace tables {

// Returns the columns of "a, b": names, indices, or the name of one column as a whole. option: such as "target".
std::vector<size_t> named_columns(const std::vector<std::string>& names, const std::string& list,
                                  const std::string& option, const std::string& path);

struct ColumnList {
  const char* option;
  std::string columns;  // names, indices, and patterns of * and ?
};
// Returns the index of the list that names each column; columns that none names are left out. A name goes before a
// pattern. Throws levin::Error if two lists name a column in the same way, or if a name or pattern fits no column.
std::map<size_t, size_t> chosen_columns(const std::vector<std::string>& names, const std::vector<ColumnList>& lists,
                                        const std::string& path);

}  // namespace tables
