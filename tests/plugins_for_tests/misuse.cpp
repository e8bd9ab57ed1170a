// A callback that misuses tensor handles and services in one way, and a data module whose third row is NaN.
#include <levin/levin.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "script.hpp"

namespace {

using scripted::record;

const char* const misuses[] = {
    "nothing",      "double_release", "release_borrowed", "use_after_release", "use_kept", "use_invented", "leak",
    "other_thread", "nan_parameter",  "unknown_status",   "deleter",           "state",    "no_key",       nullptr};

struct Misuser : levin::Callback {
  static constexpr levin_option options[] = {levin::choice("what", "\"nothing\"", "what it does wrong", misuses)};
  const std::string what;
  levin_tensor* kept = nullptr;
  explicit Misuser(const levin::Args& o) : what(o.text("what")) {}

  levin::Status on_train_batch_start() { return what == "unknown_status" ? 99 : LEVIN_OK; }

  void on_train_batch_end(const levin::Event& e) {
    levin_tensor* loss = e.loss();
    if (what == "double_release") host()->tensor_retain(host(), loss), release(loss), release(loss);
    if (what == "release_borrowed") release(loss);
    if (what == "use_after_release") {
      levin_tensor* own = number(1);
      release(own);
      look_at(own);
    }
    if (what == "use_kept" && kept) look_at(kept);
    if (what == "use_invented") look_at(reinterpret_cast<levin_tensor*>(this));
    if (what == "leak") number(1);
    if (what == "other_thread") std::thread([&] { log(e.run().raw()); }).join();
    if (what == "nan_parameter") spoil(e.run());
    if (what == "deleter") {
      levin_managed* rows = levin::managed(std::vector<float>{1}, {1});
      rows->deleter = [](levin_managed* self) { *static_cast<volatile int*>(self->ctx = nullptr) = 1; };
      levin_tensor* out = nullptr;
      host()->tensor_from_managed(host(), rows, &out);
      release(out);
    }
    kept = loss;
  }
  void save(levin::Writer out) const { out.put(what == "no_key" ? "" : "count", int64_t{3}); }
  void load(levin::Reader in) {
    std::string text;
    int64_t number;
    if (what == "state")
      in.get("count", text);
    else
      in.get("count", number);
  }

 private:
  void release(levin_tensor* tensor) const { host()->tensor_release(host(), tensor); }
  void look_at(levin_tensor* tensor) const {
    levin_view view;
    host()->tensor_view(host(), tensor, &view);  // ignores the status, as some plugins do
  }
  levin_tensor* number(float value) const {
    int64_t shape[] = {1};
    const levin_view view{&value, {LEVIN_CPU, 0}, 1, levin::float32, shape, nullptr, 0};
    levin_tensor* out = nullptr;
    host()->tensor_from_view(host(), &view, &out);
    return out;
  }
  void log(levin_run* run) const {
    const auto* trainer = static_cast<const levin_trainer*>(host()->service(host(), "levin.trainer/1"));
    levin_log log = LEVIN_LOG_INIT;
    log.name = "from_a_thread";
    const levin_status status = trainer->log(run, &log);
    record(name() + ".log " + std::to_string(status) + " " + host()->last_error(host()));
  }
  void spoil(const levin::Run& run) const {
    levin_tensor* nan = number(std::numeric_limits<float>::quiet_NaN());
    run.params().assign(run.raw(), "out.bias", nan);
    release(nan);
  }
};

struct NanRows : levin::DataModule {
  std::vector<levin::Field> fields() {
    levin::Field y = levin::input("y", levin::float32, {1});
    y.role = LEVIN_ROLE_TARGET;
    return {levin::input("x", levin::float32, {4}), y};
  }
  int64_t rows(levin::Split split) { return split == levin::Split::train ? 4 : 0; }
  void get(levin::Split, int64_t index, levin::Row& row) {
    for (int c = 0; c < 4; ++c) row.data<float>(0)[c] = index == 2 && c == 1 ? std::nanf("") : 1.0f;
    row.data<float>(1)[0] = 0;
  }
};

// Writes beyond the end of a field, in one row.
struct LongRow : NanRows {
  static constexpr levin_option options[] = {levin::integer("at", "4", "where it writes in the row")};
  const int64_t at;
  explicit LongRow(const levin::Args& o) : at(o.integer("at")) {}
  void get(levin::Split, int64_t index, levin::Row& row) {
    for (int64_t c = 0; c < 4; ++c) row.data<float>(0)[c] = 1;
    if (index == 2) row.data<float>(0)[at] = 7;
    row.data<float>(1)[0] = 0;
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.misuse", "1.0.0", "Apache-2.0", levin::callback<Misuser>("misuser", "Misuses the ABI"),
             levin::data_module<NanRows>("nan_rows", "Has one value that is no number"),
             levin::data_module<LongRow>("long_row", "Has one row that is too long"))
