// levin::RunData: the data of a run, for callbacks and models: `event.run().data()`.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "levin/detail/data_rows.hpp"
#include "levin/run.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// Every call throws Error for a loader that the data does not have.
class RunData {
 public:
  explicit RunData(const Run& run) : run_(run) {}

  uint32_t loaders(Split split) const {  // 0 = the data has no such split
    uint32_t n = 0;
    detail::check(table().loaders(run_.raw(), static_cast<uint32_t>(split), &n), "the loaders of the data");
    return n;
  }
  std::vector<Field> fields(Split split, uint32_t loader = 0) const {
    const levin_split raw = describe(split, loader);
    std::vector<Field> out;
    for (uint32_t i = 0; i < raw.n_fields; ++i)
      out.push_back(detail::field_from(*LEVIN_AT(levin_field, raw.fields, raw.field_size, i)));
    return out;
  }
  // Returns the first field with the role target; an empty field if there is none, or no such loader.
  Field target(Split split, uint32_t loader = 0) const {
    if (loader >= loaders(split)) return {};
    for (Field& field : fields(split, loader))
      if (field.role == LEVIN_ROLE_TARGET) return std::move(field);
    return {};
  }
  int64_t size(Split split, uint32_t loader = 0) const { return describe(split, loader).rows; }  // -1 = unknown
  // Returns these rows as a batch on the run's device, one tensor per field, as in a step. Throws Error for a stream
  // and for an index out of range.
  TensorList rows(Split split, const std::vector<int64_t>& indices, uint32_t loader = 0) const {
    std::vector<levin_tensor*> out(describe(split, loader).n_fields);
    uint32_t n = 0;
    detail::check(table().rows(run_.raw(), static_cast<uint32_t>(split), loader, indices.data(),
                               static_cast<int64_t>(indices.size()), out.data(), static_cast<uint32_t>(out.size()), &n),
                  "rows of the data");
    out.resize(n);
    return TensorList(run_.host(), std::move(out));
  }

 private:
  const levin_run_data& table() const { return run_.data_table(); }
  levin_split describe(Split split, uint32_t loader) const {
    levin_split out{};
    out.size = sizeof out;
    detail::check(table().describe(run_.raw(), static_cast<uint32_t>(split), loader, &out), "the data's description");
    return out;
  }
  Run run_;
};

inline RunData Run::data() const { return RunData(*this); }

}  // namespace levin
#pragma GCC visibility pop
