// Reads mangled C++ names.
#pragma once
#include <string>

namespace levin::core {

// Returns the outermost namespace or class of the symbol: "levin" for _ZZN5levin6detail1fEvE1n, "std" for _ZNSt3fooE.
// For a guard variable, returns the scope of the guarded variable. Returns "" for other than C++ names.
std::string outermost_scope(const std::string& mangled);
// Returns the demangled name, or the name itself if it cannot be demangled.
std::string demangled(const std::string& mangled);

}  // namespace levin::core
