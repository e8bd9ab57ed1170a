// A data module defined in the test: row i is {i, 10 i}, in one split.
#pragma once
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/components/data_module.hpp"

struct ToyRows {
  int64_t rows = 10;
  int64_t throws_at = -1;  // index of the row
  int64_t throws_in = -1;  // epoch in which throws_at counts; -1 = all
  int64_t sleeps_ms = 0;   // time that a call of fill takes
  int64_t stream = 0;      // > 0 = a stream of unknown length with this number of batches of 2 per epoch
  std::atomic<int> calls{0};
  bool repeats = false;  // the stream restarts by itself after its end
  int64_t next = 0;
  std::vector<int64_t> rewound;
};

class ToyData {
 public:
  explicit ToyData(int64_t rows, bool concurrent = true) {
    toy.rows = rows;
    schema.id = "toy";
    schema.flags = concurrent ? LEVIN_F_CONCURRENT : 0u;
    table_.o.size = sizeof table_;
    table_.describe = [](void* self, uint32_t split, uint32_t, levin_split* out) -> levin_status {
      if (split != LEVIN_TRAIN) return LEVIN_E_UNSUPPORTED;
      const auto& t = *static_cast<ToyRows*>(self);
      static const levin_field fields[] = {{"x", {LEVIN_FLOAT, 32, 1}, 1, {2}, LEVIN_ROLE_INPUT, 0, 0, nullptr}};
      out->rows = t.stream > 0 ? -1 : t.rows;
      out->n_fields = 1;
      out->field_size = sizeof(levin_field);
      out->fields = fields;
      return LEVIN_OK;
    };
    table_.fill = [](void* self, const levin_fill* in, const levin_view* out) -> levin_status {
      auto& t = *static_cast<ToyRows*>(self);
      ++t.calls;
      std::this_thread::sleep_for(std::chrono::milliseconds(t.sleeps_ms));
      auto* x = static_cast<float*>(out[0].data);
      for (int64_t i = 0; i < in->n; ++i) {
        if (in->indices[i] == t.throws_at && (t.throws_in < 0 || t.throws_in == in->epoch))
          throw std::runtime_error("no such row");
        x[2 * i] = static_cast<float>(in->indices[i]);
        x[2 * i + 1] = 10 * x[2 * i];
      }
      return LEVIN_OK;
    };
    table_.next = [](void* self, const levin_fill*, levin_managed** out, uint32_t, uint32_t* n) -> levin_status {
      auto& t = *static_cast<ToyRows*>(self);
      if (t.next == t.stream) {
        if (t.repeats) t.next = 0;
        return LEVIN_STOP;
      }
      *out = batch_of(static_cast<float>(t.next++));
      *n = 1;
      return LEVIN_OK;
    };
    table_.rewind = [](void* self, const levin_fill* in) -> levin_status {
      auto& t = *static_cast<ToyRows*>(self);
      t.rewound.push_back(in->epoch);
      t.next = 0;
      return LEVIN_OK;
    };
  }

  // Returns a new module; the rows are kept.
  levin::core::DataModule module() {
    return levin::core::DataModule({"toy", "libtoy.so", &schema, false}, &table_.o, &toy);
  }
  void without_rewind() { table_.rewind = nullptr; }
  static inline std::atomic<int> managed{0};  // number of live tensors
  ToyRows toy;
  levin::core::ComponentSchema schema;

 private:
  struct Managed {
    levin_managed raw{};
    int64_t shape[2] = {2, 2};
    float values[4];
  };
  static levin_managed* batch_of(float number) {
    auto* m = new Managed();
    ++managed;
    for (float& v : m->values) v = number;
    m->raw.ctx = m;
    m->raw.view = {m->values, {LEVIN_CPU, 0}, 2, {LEVIN_FLOAT, 32, 1}, m->shape, nullptr, 0};
    m->raw.deleter = [](levin_managed* raw) {
      --managed;
      delete static_cast<Managed*>(raw->ctx);
    };
    return &m->raw;
  }
  levin_data table_{};
};
