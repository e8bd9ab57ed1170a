// The data of ScalarModel: item i is the number i. It uses the bare tables, so that a split may have several loaders,
// with and without length, and so that a model may provide it as its own data.
//
// Its JSON, which also takes the keys of Script:
//   train, val, test, predict  [number of items, one entry per loader]
//   sized             false: the training loaders have no length
//   batch_size        of the loaders without length
//   endless           true: the loaders without length never end
//   state             {key: integer}: the state that it saves
//   items             {"val": [[0, 1], [2]]}: the numbers themselves
//   mode              how several loaders are combined
//   loaders           true: records {"made": split, "in": epoch} each time the loaders are created
//   evaluates_on_val  true: the test and predict loaders are created by requesting the validation loaders
#pragma once
#include <array>
#include <memory>

#include "conformance/plugins/script.hpp"

namespace scripted {

class Items {
 public:
  Items(const levin_host* host, const json& description, const std::string& who);

  const levin_host* host;
  Script script;
  std::array<std::vector<int64_t>, LEVIN_SPLITS> lengths;
  std::array<std::vector<std::vector<float>>, LEVIN_SPLITS> items;
  std::string mode;
  bool sized, endless, notes_loaders;
  int64_t batch_size;
  json state;
  std::array<std::vector<int64_t>, LEVIN_SPLITS> read;  // items that each stream has returned in this epoch

  void hook(const levin_event& e);
  void called(const std::string& hook, const json& kwargs = nullptr, const levin_event* e = nullptr);
};

// Owns the object that `self` of the table points to.
const levin_data* items_table();
levin_component items_component();

}  // namespace scripted
