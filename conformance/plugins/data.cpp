#include "conformance/plugins/data.hpp"

namespace scripted {
namespace {

constexpr const char* splits[LEVIN_SPLITS] = {"train", "val", "test", "predict"};
const levin_option options[] = {script_option};
const levin_field field = {"x", {LEVIN_FLOAT, 32, 1}, 0, {}, LEVIN_ROLE_INPUT, 0, 0, nullptr};

Items& of(void* self) { return *static_cast<Items*>(self); }

levin_status loaders(void* self, uint32_t split, uint32_t* n) {
  *n = static_cast<uint32_t>(of(self).lengths[split].size());
  return LEVIN_OK;
}

levin_status describe(void* self, uint32_t split, uint32_t loader, levin_split* out) {
  const Items& items = of(self);
  if (loader >= items.lengths[split].size()) return LEVIN_E_UNSUPPORTED;
  out->rows = split == LEVIN_TRAIN && !items.sized ? -1 : items.lengths[split][loader];
  out->n_fields = 1;
  out->field_size = sizeof field;
  out->fields = &field;
  return LEVIN_OK;
}

levin_status fill(void* self, const levin_fill* in, const levin_view* out) {
  auto* x = static_cast<float*>(out[0].data);
  const auto& items = of(self).items[in->split];
  for (int64_t i = 0; i < in->n; ++i)
    x[i] = items.empty() ? static_cast<float>(in->indices[i]) : items[in->loader][static_cast<size_t>(in->indices[i])];
  return LEVIN_OK;
}

levin_status dataloader(void* self, levin_loader* loader) {
  if (of(self).notes_loaders && loader->loader == 0) record({{"made", splits[loader->split]}, {"in", loader->epoch}});
  return LEVIN_OK;
}

const char* combined_mode(void* self, uint32_t) {
  const std::string& mode = of(self).mode;
  return mode.empty() ? nullptr : mode.c_str();
}

struct Chunk {
  levin_managed managed{};
  std::vector<float> values;
  int64_t shape = 0;
};

levin_managed* chunk(int64_t first, int64_t n) {
  auto* out = new Chunk;
  for (int64_t i = 0; i < n; ++i) out->values.push_back(static_cast<float>(first + i));
  out->shape = n;
  out->managed.major = 1;
  out->managed.ctx = out;
  out->managed.deleter = [](levin_managed* m) { delete static_cast<Chunk*>(m->ctx); };
  out->managed.view.data = out->values.data();
  out->managed.view.device = {LEVIN_CPU, 0};
  out->managed.view.ndim = 1;
  out->managed.view.dtype = {LEVIN_FLOAT, 32, 1};
  out->managed.view.shape = &out->shape;
  return &out->managed;
}

levin_status next(void* self, const levin_fill* in, levin_managed** out, uint32_t, uint32_t* n) {
  const uint32_t split = in->split, loader = in->loader;
  Items& items = of(self);
  int64_t& read = items.read[split][loader];
  int64_t left = items.lengths[split][loader] - read;
  if (items.endless) left = items.batch_size;
  if (left <= 0) return LEVIN_STOP;
  const int64_t size = std::min(left, items.batch_size);
  *out = chunk(read, size);
  *n = 1;
  read += size;
  return LEVIN_OK;
}

levin_status rewind(void* self, const levin_fill* in) {
  const uint32_t split = in->split, loader = in->loader;
  of(self).read[split][loader] = 0;
  return LEVIN_OK;
}

levin_status guarded(void* self, const char* hook, const json& kwargs = nullptr) {
  return levin::detail::guard(of(self).host, [&] { of(self).called(hook, kwargs); });
}

levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** object) {
  return levin::detail::guard(host, [&] {
    *self = new Items(host, json::parse(levin::Args(in->args, options, 1).text("script")), "dm");
    *object = &items_table()->o;
  });
}

}  // namespace

Items::Items(const levin_host* h, const json& description, const std::string& who)
    : host(h),
      script(description, who),
      mode(description.value("mode", "")),
      sized(description.value("sized", true)),
      endless(description.value("endless", false)),
      notes_loaders(description.value("loaders", false)),
      batch_size(description.value("batch_size", int64_t{1})),
      state(description.value("state", json::object())) {
  for (uint32_t split = 0; split < LEVIN_SPLITS; ++split) {
    lengths[split] = description.value(splits[split], std::vector<int64_t>{split == LEVIN_TRAIN ? 4 : 2});
    items[split] = description.value("items", json::object()).value(splits[split], std::vector<std::vector<float>>{});
    if (!items[split].empty()) lengths[split].clear();
    for (const auto& loader : items[split]) lengths[split].push_back(static_cast<int64_t>(loader.size()));
    read[split].resize(lengths[split].size());
  }
}

void Items::hook(const levin_event& e) {
  constexpr const char* dataloaders[] = {"train_dataloader", "val_dataloader", "test_dataloader", "predict_dataloader"};
  if (e.hook == LEVIN_HOOK_EXCEPTION) {
    called("on_exception", nullptr, &e);
  } else {
    called(dataloaders[e.hook - LEVIN_HOOK_TRAIN_DATALOADER], nullptr, &e);
    const bool asks_val = script.all().value("evaluates_on_val", false) && e.hook > LEVIN_HOOK_VAL_DATALOADER;
    const Depth deeper;
    if (asks_val) called("val_dataloader", nullptr, &e);
  }
}

void Items::called(const std::string& hook, const json& kwargs, const levin_event* e) {
  if (!script.records(hook)) return;
  json line = {{"who", script.who()}, {"hook", hook}, {"depth", Depth::now()}, {"args", json::array()}};
  if (e) line["epoch"] = e->epoch, line["step"] = e->global_step;
  if (hook == "on_exception") line["args"] = {"exception"};
  if (!kwargs.is_null()) line["kwargs"] = kwargs;
  record(line);
}

const levin_data* items_table() {
  static const levin_data table = [] {
    levin_data t{};
    t.o.size = sizeof t;
    t.o.destroy = [](void* self) { delete &of(self); };
    t.o.save = [](void* self, const levin_writer* writer) {
      return levin::detail::guard(of(self).host, [&] {
        if (of(self).script.who() != "lm") of(self).called("state_dict");
        for (const auto& [key, value] : of(self).state.items())
          levin::Writer(writer).put(key.c_str(), value.get<int64_t>());
      });
    };
    t.prepare = [](void* self) { return guarded(self, "prepare_data"); };
    t.setup = [](void* self, uint32_t stage) {
      if (of(self).script.who() == "lm") return LEVIN_OK;  // the model itself is set up
      return guarded(self, "setup", {{"stage", stage_text(stage)}});
    };
    t.teardown = [](void* self, uint32_t stage) {
      if (of(self).script.who() == "lm") return LEVIN_OK;
      return guarded(self, "teardown", {{"stage", stage_text(stage)}});
    };
    t.loaders = &loaders;
    t.describe = &describe;
    t.fill = &fill;
    t.dataloader = &dataloader;
    t.combined_mode = &combined_mode;
    t.next = &next;
    t.rewind = &rewind;
    t.on = [](void* self, const levin_event* e) {
      return levin::detail::guard(of(self).host, [&] { of(self).hook(*e); });
    };
    t.o.load = [](void* self, const levin_reader*) {
      if (of(self).script.who() == "lm") return LEVIN_OK;
      return guarded(self, "load_state_dict");
    };
    return t;
  }();
  return &table;
}

levin_component items_component() {
  levin_component c{};
  c.size = sizeof c;
  c.kind = LEVIN_KIND_DATA;
  c.id = "scripted_data";
  c.summary = "Items that are their index";
  c.options = options;
  c.n_options = 1;
  c.option_size = sizeof options[0];
  c.hooks[0] = LEVIN_BIT(LEVIN_HOOK_EXCEPTION);
  for (uint32_t h = LEVIN_HOOK_TRAIN_DATALOADER; h <= LEVIN_HOOK_PREDICT_DATALOADER; ++h) c.hooks[1] |= LEVIN_BIT(h);
  c.create = &create;
  return c;
}

}  // namespace scripted
