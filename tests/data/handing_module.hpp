// A data module defined in the test that returns tensors as the test requires: in batches, as a stream, or at once.
#pragma once
#include <functional>
#include <list>
#include <vector>

#include "core/components/data_module.hpp"

class HandingModule {
 public:
  // A tensor that counts its deletions. Its numbers are zeros unless the test sets them.
  struct Tensor {
    levin_managed raw{};
    std::vector<int64_t> shape, strides;
    std::vector<int64_t> numbers;
    int deleted = 0;
  };
  using Make = std::function<levin_status(const levin_fill&, std::vector<levin_managed*>&)>;

  explicit HandingModule(int64_t rows_) : rows(rows_) {
    schema.id = "handing";
    table.o.size = sizeof table;
    table.describe = [](void* self, uint32_t split, uint32_t, levin_split* out) -> levin_status {
      auto& m = *static_cast<HandingModule*>(self);
      if (split != LEVIN_TRAIN && split != LEVIN_VAL) return LEVIN_E_UNSUPPORTED;
      out->rows = m.rows;
      out->fields = m.fields.data();
      out->field_size = sizeof(levin_field);
      out->n_fields = static_cast<uint32_t>(m.fields.size());
      return LEVIN_OK;
    };
  }
  HandingModule(const HandingModule&) = delete;

  void by_next() { table.next = &call; }
  void by_batch() { table.batch = &call; }
  void by_resident() {
    table.resident = [](void* self, uint32_t split, uint32_t loader, levin_managed** out, uint32_t, uint32_t* n) {
      levin_fill in{};
      in.split = split, in.loader = loader;
      return call(self, &in, out, 64, n);
    };
  }
  levin::core::DataModule module() {
    return levin::core::DataModule({"hands", "libhands.so", &schema, false}, &table.o, this);
  }
  // Row-major int64 or float32, on the CPU, in its own memory.
  Tensor& tensor(std::vector<int64_t> shape, uint8_t code, uint8_t bits = 64) {
    made.emplace_back();
    Tensor& t = made.back();
    int64_t n = 1;
    for (const int64_t d : shape) n *= d;
    t.shape = std::move(shape);
    t.numbers.resize(static_cast<size_t>(n));
    t.raw.major = 1;
    t.raw.ctx = &t;
    t.raw.deleter = [](levin_managed* m) { ++static_cast<Tensor*>(m->ctx)->deleted; };
    t.raw.view = {t.numbers.data(),
                  {LEVIN_CPU, 0},
                  static_cast<int32_t>(t.shape.size()),
                  {code, bits, 1},
                  t.shape.data(),
                  nullptr,
                  0};
    return t;
  }
  Tensor& x(int64_t n) { return tensor({n, 2}, LEVIN_FLOAT, 32); }
  Tensor& y(int64_t n, int64_t label = 0) {
    Tensor& t = tensor({n}, LEVIN_INT);
    for (int64_t& number : t.numbers) number = label;
    return t;
  }

  int64_t rows;
  std::vector<levin_field> fields = {{"x", {LEVIN_FLOAT, 32, 1}, 1, {2}, LEVIN_ROLE_INPUT, 0, 0, nullptr},
                                     {"y", {LEVIN_INT, 64, 1}, 0, {}, LEVIN_ROLE_TARGET, 0, 3, nullptr}};
  levin_data table{};
  levin::core::ComponentSchema schema;
  Make make;
  std::list<Tensor> made;
  std::vector<levin_fill> told;

 private:
  static levin_status call(void* self, const levin_fill* in, levin_managed** out, uint32_t, uint32_t* n) {
    auto& m = *static_cast<HandingModule*>(self);
    m.told.push_back(*in);
    std::vector<levin_managed*> batch;
    const levin_status status = m.make(*in, batch);
    for (size_t i = 0; i < batch.size(); ++i) out[i] = batch[i];
    *n = static_cast<uint32_t>(batch.size());
    return status;
  }
};
