// The data of ScalarModel: item i is the number i. On the bare tables, so that a split may have several loaders, with
// and without length, and so that a model may bring it as its own.
//
// Its JSON: {"train": [items], "val": [...], "test": [...], "predict": [...]: one entry a loader; "sized": false: the
// training loaders have no length, "batch_size": of those, "endless": they never end, "state": integers that it saves,
// by key; "items": {"val": [[0, 1], [2]]}: the numbers themselves; "mode": how several loaders combine; "loaders":
// true: a record {"made": split, "in": epoch} each time that loaders are made; "evaluates_on_val": the test and predict
// loaders are made by asking for that of validation; and what Script takes}.
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
  std::array<std::vector<int64_t>, LEVIN_SPLITS> read;  // items that each stream has handed out in this epoch

  void hook(const levin_event& e);
  void called(const std::string& hook, const json& kwargs = nullptr, const levin_event* e = nullptr);
};

// Owns what `self` of the table points at.
const levin_data* items_table();
levin_component items_component();

}  // namespace scripted
