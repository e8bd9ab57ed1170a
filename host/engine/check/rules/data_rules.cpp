#include "host/engine/check/rules/rules.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/flip.h>

#include <algorithm>
#include <set>
#include <thread>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/components/data_module.hpp"
#include "core/data/loader_set.hpp"
#include "core/data/source/row_source.hpp"
#include "host/engine/check/rules/row_rules.hpp"

namespace levin::core {
namespace {

class DataRules {
 public:
  DataRules(Report& report, const Subject& subject) : report_(report), subject_(subject) {}
  bool run() {
    const bool ready = report_.prepare(10, "prepare and setup of every stage", [&] { return set_up(); });
    if (!ready) return false;
    report_.prepare(11, "describe: names, shapes, types and rows are valid, and the same when called again",
                    [&] { return describe(); });
    const std::string seen = seen_rows(places_).empty() ? "" : " (" + seen_rows(places_) + ")";
    rule(12, "fill: a row filled twice is the same, whatever the memory held" + seen,
         [](const DataRules& r, const Place& p) { return written_twice(*r.data_, p); });
    rule(13, "fill: rows are the same in another order",
         [](const DataRules& r, const Place& p) { return r.reversed(p); });
    rule(14, "fill: rows are the same in batches of other sizes",
         [](const DataRules& r, const Place& p) { return r.one_by_one(p); });
    rule(15, "fill: rows are the same on four threads at once",
         [](const DataRules& r, const Place& p) { return r.on_threads(p); });
    report_.check(16, "rows: numbers are finite, and labels are valid class indices" + seen,
                  [&] { return every_row(); });
    report_.check(18, "batch, resident: rows are the same in another order", [&] { return other_order(); });
    report_.check(19, "streams: next returns what describe declares, and rewind starts a second epoch",
                  [&] { return streams(); });
    report_.check(17, "teardown of every stage, and setup again", [&] {
      for (uint32_t stage = LEVIN_STAGE_FIT; stage <= LEVIN_STAGE_PREDICT; ++stage) data_->teardown(stage);
      data_->setup(LEVIN_STAGE_FIT);
      data_->teardown(LEVIN_STAGE_FIT);
      return "";
    });
    return true;
  }

 private:
  using PlaceRule = std::string (*)(const DataRules&, const Place&);

  // Throws Skip if the data is not on this machine, which is not the plugin's fault.
  std::string set_up() {
    data_ = make_component<DataModule>(subject_.create());
    try {
      data_->prepare();
      for (uint32_t stage = LEVIN_STAGE_FIT; stage <= LEVIN_STAGE_PREDICT; ++stage) data_->setup(stage);
    } catch (const Error& e) {
      throw Skip{"there is no data on this machine with these options: " + std::string(e.what())};
    }
    return "";
  }

  std::string describe() {
    places_.clear();
    for (uint32_t split = 0; split < LEVIN_SPLITS; ++split)
      for (uint32_t loader = 0; loader < data_->loaders(split); ++loader) {
        const auto info = data_->describe(split, loader), again = data_->describe(split, loader);
        if (info.has_value() != again.has_value()) return std::string(split_name(split)) + " exists only in some calls";
        if (!info) continue;
        places_.push_back({split, loader, *info});
        const std::string problem = describe_fields(places_.back(), *again);
        if (!problem.empty()) return places_.back().name() + ": " + problem;
      }
    return places_.empty() ? "there are no splits" : "";
  }

  static std::string describe_fields(const Place& place, const SplitInfo& again) {
    if (place.info.rows < -1) return std::to_string(place.info.rows) + " rows";
    if (place.info.fields.empty()) return "a row has no field";
    if (again.rows != place.info.rows)
      return std::to_string(place.info.rows) + " rows, but when called again " + std::to_string(again.rows);
    std::set<std::string> names;
    for (const FieldInfo& f : place.info.fields) {
      if (f.name.empty()) return "a field has no name";
      if (!names.insert(f.name).second) return "two fields are called '" + f.name + "'";
      scalar_type(f.dtype);
      if (std::any_of(f.shape.begin(), f.shape.end(), [](int64_t d) { return d == 0 || d < -1; }))
        return "field '" + f.name + "' has a dimension that is neither positive nor -1";
      if (f.classes < 0) return "field '" + f.name + "' has " + std::to_string(f.classes) + " classes";
      const bool probabilities = f.dtype.code == LEVIN_FLOAT && !f.shape.empty() && f.shape[0] == f.classes;
      if (f.classes > 0 && f.dtype.code != LEVIN_INT && f.dtype.code != LEVIN_UINT && f.dtype.code != LEVIN_BOOL &&
          !probabilities)
        return "field '" + f.name + "' names classes, but is neither of an integer type nor of their probabilities";
    }
    return "";
  }

  void rule(int number, const std::string& what, PlaceRule holds) {
    report_.check(number, what, [&]() -> std::string {
      const levin_data* table = &data_->table();
      if (!LEVIN_HAS(levin_data, table, fill)) throw Skip{"it has no function 'fill'"};
      int looked_at = 0;
      for (const Place& place : places_) {
        const auto& fields = place.info.fields;
        if (place.info.rows <= 0 || std::any_of(fields.begin(), fields.end(), &DataRules::ragged)) continue;
        ++looked_at;
        const std::string problem = holds(*this, place);
        if (!problem.empty()) return problem;
      }
      if (looked_at == 0) throw Skip{"no split has rows of a known number and shape"};
      return "";
    });
  }

  std::string reversed(const Place& place) const {
    std::vector<int64_t> indices = sample(place);
    const Rows forward = fill(*data_, place, indices);
    std::reverse(indices.begin(), indices.end());
    Rows backward = fill(*data_, place, indices);
    std::reverse(indices.begin(), indices.end());
    std::reverse(backward.begin(), backward.end());
    return differing(place, indices, forward, backward);
  }

  std::string one_by_one(const Place& place) const {
    const std::vector<int64_t> indices = sample(place);
    Rows single;
    for (const int64_t index : indices) single.push_back(fill(*data_, place, {index}).front());
    return differing(place, indices, fill(*data_, place, indices), single);
  }

  std::string on_threads(const Place& place) const {
    if (!(data_->flags() & LEVIN_F_CONCURRENT)) throw Skip{"it does not declare LEVIN_F_CONCURRENT"};
    const std::vector<int64_t> indices = sample(place);
    const Rows expected = fill(*data_, place, indices);
    std::vector<std::string> problems(4);
    std::vector<std::thread> threads;
    for (std::string& problem : problems)
      threads.emplace_back([&, out = &problem] {
        try {
          for (int i = 0; i < 8 && out->empty(); ++i)
            *out = differing(place, indices, expected, fill(*data_, place, indices));
        } catch (const std::exception& e) {
          *out = e.what();
        }
      });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& problem : problems)
      if (!problem.empty()) return problem;
    return "";
  }

  std::string every_row() const {
    bool any = false;
    for (const Place& place : places_) {
      if (place.info.rows <= 0) continue;
      any = true;
      const std::string problem = sound_rows(*data_, place);
      if (!problem.empty()) return problem;
    }
    if (!any) throw Skip{"no split has rows of a known number"};
    return "";
  }

  static bool ragged(const FieldInfo& field) {
    return std::any_of(field.shape.begin(), field.shape.end(), [](int64_t d) { return d < 0; });
  }

  std::string other_order() const {
    const levin_data* table = &data_->table();
    if (!LEVIN_HAS(levin_data, table, batch) && !LEVIN_HAS(levin_data, table, resident))
      throw Skip{"it has neither 'batch' nor 'resident'"};
    for (const Place& place : places_) {
      if (place.info.rows <= 0) continue;
      const auto source = make_row_source({*data_, place.split, place.loader, place.info});
      std::vector<int64_t> order = sample(place);
      const auto forward = fetched(*source, place, order);
      std::reverse(order.begin(), order.end());
      const auto backward = fetched(*source, place, order);
      for (size_t f = 0; f < place.info.fields.size(); ++f)
        if (!ragged(place.info.fields[f]) && !at::equal(forward[f], backward[f].flip(0)))
          return place.name() + ": rows of field '" + place.info.fields[f].name + "' differ";
    }
    return "";
  }

  std::string streams() const {
    int looked_at = 0;
    for (const Place& place : places_) {
      if (place.info.rows == 0) continue;
      const auto source = make_row_source({*data_, place.split, place.loader, place.info});
      if (!source->is_stream()) continue;
      ++looked_at;
      for (int64_t epoch = 0; epoch < 2; ++epoch) {
        Fetch begin;
        begin.rows = 4;
        begin.epoch = epoch;
        source->rewind(begin);
        const std::string problem = sound_stream(place, *source);
        if (!problem.empty()) return place.name() + ", epoch " + std::to_string(epoch) + ": " + problem;
      }
    }
    if (looked_at == 0) throw Skip{"it has no stream"};
    return "";
  }

  Report& report_;
  const Subject& subject_;
  std::unique_ptr<DataModule> data_;
  std::vector<Place> places_;
};

}  // namespace

bool check_data(Report& report, const Subject& subject) { return DataRules(report, subject).run(); }

}  // namespace levin::core
