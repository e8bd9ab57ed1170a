// Catch2 version 2 (Debian 12) or 3 (Debian 13). Restores Catch2's CHECK where LibTorch's logging header has redefined
// it since this file was first included.
#ifndef LEVIN_TESTS_CATCH_HPP
#define LEVIN_TESTS_CATCH_HPP
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
inline auto ContainsSubstring(const std::string& text) { return Catch::Matchers::Contains(text); }
#endif
#else
#pragma pop_macro("CHECK")
#endif
#pragma push_macro("CHECK")
