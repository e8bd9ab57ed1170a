// Descriptions of data that models are tried with, and batches of them.
#pragma once
#include <string>

#include "core/data/batch.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

struct InventedData {
  std::string name;  // for people
  levin_field fields[2];
  levin_data_info info;

  // x: float32 of the shape; y: a class, or with classes == 0 a number.
  InventedData(std::string name, std::initializer_list<int64_t> shape, int64_t classes);
  InventedData(const InventedData&) = delete;
  InventedData& operator=(const InventedData&) = delete;

  Batch batch(int64_t rows) const;
};

}  // namespace levin::core
