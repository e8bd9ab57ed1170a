// A data module on the bare tables: rows are functions of (split, index); several evaluation loaders.
#include <cstring>
#include <memory>
#include <vector>

#include "levin/detail/object.hpp"
#include "levin/detail/plugin.hpp"
#include "script.hpp"

namespace {

using namespace scripted;
constexpr int64_t width = 4;

const levin_option options[] = {levin::integer("train", "4", "training rows", 0, 1e6),
                                levin::json("val", "[2]", "validation rows of each loader"),
                                levin::json("test", "[2]", "test rows of each loader"),
                                levin::json("predict", "[2]", "rows to predict of each loader"),
                                levin::flag("trace", "true", "write down the calls"),
                                levin::flag("foreign", "false", "fill throws across the border"),
                                levin::flag("renamed", "false", "the fields are called features and label"),
                                do_option,
                                at_option,
                                batch_option,
                                epoch_option};
constexpr uint32_t n_options = sizeof options / sizeof options[0];

std::vector<int64_t> numbers(const std::string& json) {
  std::vector<int64_t> out;
  for (const char* p = json.c_str(); *p; ++p)
    if (*p >= '0' && *p <= '9') {
      char* end;
      out.push_back(std::strtoll(p, &end, 10));
      p = end - 1;
    }
  return out;
}

struct Rows {
  const levin_host* host;
  Script script;
  bool trace, foreign, renamed;
  std::vector<int64_t> rows[LEVIN_SPLITS];
  Rows(const levin_host* h, const levin::Args& o)
      : host(h),
        script(o),
        trace(o.flag("trace")),
        foreign(o.flag("foreign")),
        renamed(o.flag("renamed")),
        rows{{o.integer("train")}, numbers(o.text("val")), numbers(o.text("test")), numbers(o.text("predict"))} {}

  levin_status call(const char* name) {
    if (trace) record(std::string("dm.") + name);
    return levin::detail::guard(host, [&] { return script.at(name, -1, -1); });
  }
};

Rows& of(void* self) { return *static_cast<Rows*>(self); }

float value(uint32_t split, uint32_t loader, int64_t index, int64_t column) {
  uint64_t z = static_cast<uint64_t>(index * 31 + column) + 1000003u * (split * 8 + loader) + 1;
  z *= 0x9e3779b97f4a7c15ull;
  z ^= z >> 29;
  return static_cast<float>(z % 2000) / 1000.0f - 1.0f;
}

const levin_field fields[] = {
    {"x", {LEVIN_FLOAT, 32, 1}, 1, {width}, LEVIN_ROLE_INPUT, 0, 0, nullptr},
    {"y", {LEVIN_FLOAT, 32, 1}, 1, {1}, LEVIN_ROLE_TARGET, 0, 0, nullptr},
};
const levin_field renamed_fields[] = {
    {"features", {LEVIN_FLOAT, 32, 1}, 1, {width}, LEVIN_ROLE_INPUT, 0, 0, nullptr},
    {"label", {LEVIN_FLOAT, 32, 1}, 1, {1}, LEVIN_ROLE_TARGET, 0, 0, nullptr},
};

levin_status describe(void* self, uint32_t split, uint32_t loader, levin_split* out) {
  if (loader >= of(self).rows[split].size()) return LEVIN_E_UNSUPPORTED;
  out->rows = of(self).rows[split][loader];
  out->n_fields = 2;
  out->field_size = sizeof(levin_field);
  out->fields = of(self).renamed ? renamed_fields : fields;
  return LEVIN_OK;
}

levin_status fill(void* self, const levin_fill* in, const levin_view* out) {
  if (of(self).foreign) throw 7;
  auto* x = static_cast<float*>(out[0].data);
  auto* y = static_cast<float*>(out[1].data);
  for (int64_t row = 0; row < in->n; ++row) {
    y[row] = 0.5f;
    for (int64_t c = 0; c < width; ++c) {
      x[row * width + c] = value(in->split, in->loader, in->indices[row], c);
      y[row] += static_cast<float>(c) * x[row * width + c];
    }
  }
  return levin::detail::guard(of(self).host, [&] { return of(self).script.at("fill", in->indices[0], in->epoch); });
}

const levin_data table = [] {
  levin_data t{};
  t.o.size = sizeof t;
  t.o.destroy = [](void* self) { delete &of(self); };
  t.prepare = [](void* self) { return of(self).call("prepare_data"); };
  t.setup = [](void* self, uint32_t) { return of(self).call("setup"); };
  t.teardown = [](void* self, uint32_t) { return of(self).call("teardown"); };
  t.loaders = [](void* self, uint32_t split, uint32_t* n) -> levin_status {
    *n = static_cast<uint32_t>(of(self).rows[split].size());
    return LEVIN_OK;
  };
  t.describe = &describe;
  t.fill = &fill;
  t.on = [](void* self, const levin_event*) { return of(self).call("on_exception"); };
  return t;
}();

levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** object) {
  return levin::detail::guard(host, [&] {
    *self = new Rows(host, levin::Args(in->args, options, n_options));
    *object = &table.o;
  });
}

levin_component rows() {
  levin_component c{};
  c.size = sizeof c;
  c.kind = LEVIN_KIND_DATA;
  c.id = "rows";
  c.summary = "Rows that are functions of their index";
  c.options = options;
  c.n_options = n_options;
  c.option_size = sizeof options[0];
  c.hooks[0] = LEVIN_BIT(LEVIN_HOOK_EXCEPTION);
  c.flags = LEVIN_F_CONCURRENT;
  c.create = &create;
  return c;
}

}  // namespace

LEVIN_PLUGIN("levin.test.rows", "1.0.0", "Apache-2.0", rows())
