// levin::HParams: every option of a run with its dotted name and type, for loggers without a JSON parser.
//
//   for (const levin::HParam& p : begin.hparams) send(p.name, p.text());
//   const double lr = begin.hparams.number("model.lr");
#pragma once
#include <string>
#include <vector>

#include "levin/error.hpp"
#include "levin/util/text.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// Borrowed for the call. flag, integer and number throw Error for an option of another type.
struct HParam {
  const char* name;  // "model.lr", "data.batch_size", "callback.early_stopping.patience", "trainer.max_epochs"
  const levin_value* value;

  bool is_null() const { return value->type == LEVIN_T_NONE; }
  bool is_flag() const { return value->type == LEVIN_T_BOOL; }
  bool is_integer() const { return value->type == LEVIN_T_INT; }
  bool is_number() const { return is_integer() || value->type == LEVIN_T_FLOAT; }
  bool is_json() const { return value->type == LEVIN_T_JSON; }  // a list or an object, as text
  bool flag() const { return need(is_flag(), "flag"), value->v.i != 0; }
  int64_t integer() const { return need(is_integer(), "integer"), value->v.i; }
  double number() const {
    need(is_number(), "number");
    return is_integer() ? static_cast<double>(value->v.i) : value->v.f;
  }
  // Returns a value of any type as text: 0.1, 3, true, null, a text unchanged, JSON.
  std::string text() const {
    if (is_null()) return "null";
    if (is_flag()) return flag() ? "true" : "false";
    if (is_number()) return is_integer() ? std::to_string(value->v.i) : shortest(value->v.f);
    return value->v.s ? value->v.s : "";
  }

 private:
  void need(bool is, const char* accessor) const {
    if (!is)
      throw Error(LEVIN_E_INVALID, std::string("the hyper-parameter '") + name + "' is " + text() + ", which is no " +
                                       accessor + "; HParam::text reads every type");
  }
};

// The options in the order model, data, callbacks, loggers, trainer, without secrets. Empty if
// trainer.enable_autolog_hparams is off.
class HParams {
 public:
  HParams() = default;
  HParams(const levin_args* args, const char* const* names) {
    for (uint32_t i = 0; args && names && i < args->n; ++i) all_.push_back({names[i], &args->values[i]});
  }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  // Returns nullptr if the run has no such option.
  const HParam* find(const std::string& name) const {
    for (const HParam& p : all_)
      if (name == p.name) return &p;
    return nullptr;
  }
  // Each throws Error if there is no such option, or its type is another one.
  double number(const std::string& name) const { return at(name).number(); }
  int64_t integer(const std::string& name) const { return at(name).integer(); }
  bool flag(const std::string& name) const { return at(name).flag(); }
  std::string text(const std::string& name) const { return at(name).text(); }

 private:
  const HParam& at(const std::string& name) const {
    if (const HParam* found = find(name)) return *found;
    throw Error(LEVIN_E_NOT_FOUND, "the run has no hyper-parameter '" + name + "'");
  }
  std::vector<HParam> all_;
};

}  // namespace levin
#pragma GCC visibility pop
