// What a mangled name of C++ says.
#pragma once
#include <string>

namespace levin::core {

// The outermost namespace or class that the symbol lies in: "levin" of _ZZN5levin6detail1fEvE1n, "std" of _ZNSt3fooE;
// of a guard variable that of what it guards. "" if the name is not that of C++.
std::string outermost_scope(const std::string& mangled);
// As a person would write it; the name itself where it cannot be read.
std::string demangled(const std::string& mangled);

}  // namespace levin::core
