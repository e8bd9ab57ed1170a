// Golden files and scratch files of these tests.
#pragma once
#include "temp_folder.hpp"

namespace weights_test {

inline std::string golden(const std::string& name) { return std::string(LEVIN_TEST_GOLDEN) + "/" + name; }

}  // namespace weights_test
