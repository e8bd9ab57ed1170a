// Invented descriptions of data, with which models are tried, and batches of such data.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/data/batch.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

struct InventedData {
  enum class Target { row, token };  // y has one value a row, or one for each of its tokens

  std::string name;  // for the report
  levin_field fields[2];
  levin_data_info info;
  int64_t tokens;

  // The field x is a float32 tensor of this shape; of int64 numbers below `tokens` if that is not 0. The field y is a
  // class, or a number if classes is 0.
  InventedData(std::string name, std::initializer_list<int64_t> shape, int64_t classes, int64_t tokens = 0,
               Target target = Target::row);
  InventedData(const InventedData&) = delete;
  InventedData& operator=(const InventedData&) = delete;

  Batch batch(int64_t rows) const;
  nlohmann::json options() const;  // with which the invented data module gives such rows
};

}  // namespace levin::core
