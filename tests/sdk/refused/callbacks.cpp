// Each message is on one line, regardless of its length:
// clang-format off
#include <array>

#include "levin/callback.hpp"

// refused: a callback without hooks is never called: declare one of LEVIN_FOR_EACH_CALLBACK_HOOK in levin/abi.h
struct Empty : levin::Callback {};
auto empty = levin::callback<Empty>("", "");

// refused: the hook 'on_fit_start' is private or protected, so nobody can call it: make it public
class Private : public levin::Callback {
  void on_fit_start() {}
};
auto is_private = levin::callback<Private>("", "");

// refused: the hook 'on_train_end' is overloaded or a template, so nobody can call it: declare it once
struct Overloaded : levin::Callback {
  void on_train_end() {}
  void on_train_end(const levin::Event&) {}
};
auto overloaded = levin::callback<Overloaded>("", "");

// refused: the hook 'on_fit_end' is overloaded or a template, so nobody can call it: declare it once
struct Template : levin::Callback {
  template <class E>
  void on_fit_end(const E&) {}
};
auto is_template = levin::callback<Template>("", "");

// refused: the hook 'on_train_batch_end' takes (const levin::Event&), (levin::Stage) or nothing, and is not static
struct Arguments : levin::Callback {
  void on_train_batch_end(const levin::Event&, int) {}
};
auto arguments = levin::callback<Arguments>("", "");

// refused: the hook 'on_test_end' takes (const levin::Event&), (levin::Stage) or nothing, and is not static
struct Changing : levin::Callback {
  void on_test_end(levin::Event&) {}
};
auto changing = levin::callback<Changing>("", "");

// refused: the hook 'on_test_start' takes (const levin::Event&), (levin::Stage) or nothing, and is not static
struct Static : levin::Callback {
  static void on_test_start() {}
};
auto is_static = levin::callback<Static>("", "");

// refused: the hook 'on_test_start' takes (const levin::Event&), (levin::Stage) or nothing, and is not static
struct Data : levin::Callback {
  int on_test_start = 0;
};
auto data = levin::callback<Data>("", "");

// refused: the hook 'on_train_batch_start' returns nothing or a levin::Status: LEVIN_OK, LEVIN_STOP, LEVIN_SKIP; a bool or an int would be read as one
struct Bool : levin::Callback {
  bool on_train_batch_start() { return true; }
};
auto returns_bool = levin::callback<Bool>("", "");

// refused: the hook 'on_train_batch_end' returns nothing or a levin::Status: LEVIN_OK, LEVIN_STOP, LEVIN_SKIP; a bool or an int would be read as one
struct Number : levin::Callback {
  int on_train_batch_end(const levin::Event&) { return 1; }
};
auto number = levin::callback<Number>("", "");

// refused: the hook 'on_train_batch_start' returns nothing or a levin::Status: LEVIN_OK, LEVIN_STOP, LEVIN_SKIP; a bool or an int would be read as one
struct BareStatus : levin::Callback {
  levin_status on_train_batch_start() { return LEVIN_SKIP; }
};
auto bare_status = levin::callback<BareStatus>("", "");

// refused: Levin never calls 'on_train_batch_ends': did you mean 'on_train_batch_end'? Otherwise give it another name
struct Slip : levin::Callback {
  void on_train_batch_ends(const levin::Event&) {}
};
auto slip = levin::callback<Slip>("", "");

// refused: Levin never calls 'on_val_epoch_end': did you mean 'on_validation_epoch_end'? Otherwise give it another name
struct Short : levin::Callback {
  void on_fit_start() {}
  void on_val_epoch_end() {}
};
auto is_short = levin::callback<Short>("", "");

// refused: Levin never calls 'on_train_begin': did you mean 'on_train_start'? Otherwise give it another name
class Keras : public levin::Callback {
 public:
  void on_fit_start() {}

 private:
  void on_train_begin() {}
};
auto keras = levin::callback<Keras>("", "");

// refused: Levin never calls 'onTrainStart': did you mean 'on_train_start'? Otherwise give it another name
struct Camel : levin::Callback {
  void onTrainStart(const levin::Event&) {}
};
auto camel = levin::callback<Camel>("", "");

// refused: Levin never calls 'onBeforeZeroGrad': did you mean 'on_before_zero_grad'? Otherwise give it another name
struct MoreCamels : levin::Callback {
  void on_fit_start() {}
  void onBeforeZeroGrad() {}
};
auto more_camels = levin::callback<MoreCamels>("", "");

// refused: Levin never calls 'on_validaton_end': did you mean 'on_validation_end'? Otherwise give it another name
struct Misspelt : levin::Callback {
  void on_fit_start() {}
  void on_validaton_end(const levin::Event&) {}
};
auto misspelt = levin::callback<Misspelt>("", "");

// refused: Levin never calls 'on_train_bacth_end': did you mean 'on_train_batch_end'? Otherwise give it another name
// refused: Levin never calls 'on_save_chekpoint': did you mean 'on_save_checkpoint'? Otherwise give it another name
struct Twice : levin::Callback {
  void on_train_bacth_end() {}
  void on_save_chekpoint() {}
};
auto twice = levin::callback<Twice>("", "");

// refused: Levin never calls 'on_train_strat': did you mean 'on_train_start'? Otherwise give it another name
struct FinalSlip final : levin::Callback {
  void on_fit_start() {}
  void on_train_strat() {}
};
auto final_slip = levin::callback<FinalSlip>("", "");

// refused: the class derives privately from levin::Callback, so Levin cannot use it: write struct X : levin::Callback, or class X : public levin::Callback
class Privately : levin::Callback {
 public:
  void on_fit_start() {}
};
auto privately = levin::callback<Privately>("", "");

// refused: a callback derives from levin::Callback
struct Alone {
  void on_fit_start() {}
};
auto alone = levin::callback<Alone>("", "");

// refused: a component is made from (const levin::Args&) or from nothing: declare such a public constructor
struct Sized : levin::Callback {
  explicit Sized(int) {}
  void on_fit_start() {}
};
auto sized = levin::callback<Sized>("", "");

// refused: a component is made from (const levin::Args&) or from nothing: declare such a public constructor
class HiddenConstructor : public levin::Callback {
  explicit HiddenConstructor(const levin::Args&) {}

 public:
  void on_fit_start() {}
};
auto hidden_constructor = levin::callback<HiddenConstructor>("", "");

// refused: the class is abstract, so nobody can make one: override the pure virtual functions of its bases
struct Abstract : levin::Callback {
  virtual int patience() = 0;
  void on_fit_start() {}
};
auto is_abstract = levin::callback<Abstract>("", "");

// refused: 'options' is not what Levin reads by that name: declare it as public static constexpr levin_option options[] = {...}
struct FunctionOptions : levin::Callback {
  std::vector<levin_option> options() { return {}; }
  void on_fit_start() {}
};
auto function_options = levin::callback<FunctionOptions>("", "");

// refused: 'options' is not what Levin reads by that name: declare it as public static constexpr levin_option options[] = {...}
struct StaticFunctionOptions : levin::Callback {
  static std::vector<levin_option> options() { return {}; }
  void on_fit_start() {}
};
auto static_function_options = levin::callback<StaticFunctionOptions>("", "");

// refused: 'options' is not what Levin reads by that name: declare it as public static constexpr levin_option options[] = {...}
struct MemberOptions : levin::Callback {
  levin_option options[1] = {levin::integer("patience", "3", "how long")};
  void on_fit_start() {}
};
auto member_options = levin::callback<MemberOptions>("", "");

// refused: 'options' is not what Levin reads by that name: declare it as public static constexpr levin_option options[] = {...}
struct VectorOptions : levin::Callback {
  static inline const std::vector<levin_option> options = {levin::integer("patience", "3", "how long")};
  void on_fit_start() {}
};
auto vector_options = levin::callback<VectorOptions>("", "");

// refused: 'options' is not what Levin reads by that name: declare it as public static constexpr levin_option options[] = {...}
class HiddenOptions : public levin::Callback {
  static constexpr levin_option options[] = {levin::integer("patience", "3", "how long")};

 public:
  void on_fit_start() {}
};
auto hidden_options = levin::callback<HiddenOptions>("", "");

// refused: 'state_since' is not what Levin reads by that name: declare it as static constexpr const char* state_since = ..., or give it another name
struct MemberConstant : levin::Callback {
  const char* state_since = "1.0.0";
  void on_fit_start() {}
};
auto member_constant = levin::callback<MemberConstant>("", "");

// refused: Levin never reads 'Options': did you mean 'options'? Otherwise give it another name
struct Capital : levin::Callback {
  static constexpr levin_option Options[] = {levin::integer("patience", "3", "how long")};
  void on_fit_start() {}
};
auto capital = levin::callback<Capital>("", "");

// refused: 'save' without 'load': what it keeps would never be read; declare a public void load(levin::Reader)
struct OnlySave : levin::Callback {
  void on_fit_start() {}
  void save(levin::Writer) const {}
};
auto only_save = levin::callback<OnlySave>("", "");

// refused: 'load' is not what Levin calls by that name: declare it as public void load(levin::Reader)
struct OtherLoad : levin::Callback {
  void on_fit_start() {}
  void save(levin::Writer) const {}
  void load(const std::string&) {}
};
auto other_load = levin::callback<OtherLoad>("", "");

// refused: 'load' is not what Levin calls by that name: declare it as public void load(levin::Reader)
struct LoadOfWriter : levin::Callback {
  void on_fit_start() {}
  void save(levin::Writer) const {}
  void load(levin::Writer) {}
};
auto load_of_writer = levin::callback<LoadOfWriter>("", "");

// refused: 'save' is not what Levin calls by that name: declare it as public void save(levin::Writer)
struct SaveOfNothing : levin::Callback {
  void on_fit_start() {}
  std::string save() const { return ""; }
  void load(levin::Reader) {}
};
auto save_of_nothing = levin::callback<SaveOfNothing>("", "");

// refused: 'load' without 'save': there would never be anything to read; declare a public void save(levin::Writer)
struct OnlyLoad : levin::Callback {
  void on_fit_start() {}
  void load(levin::Reader) {}
};
auto only_load = levin::callback<OnlyLoad>("", "");

// refused: 'save' and 'load' are not what Levin calls by these names: declare public void save(levin::Writer) and void load(levin::Reader)
struct References : levin::Callback {
  void on_fit_start() {}
  void save(levin::Writer&) const {}
  void load(levin::Reader&) {}
};
auto references = levin::callback<References>("", "");

// The following classes are accepted.
struct OwnOptions : levin::Callback {
  struct Options {
    int patience = 3;
  };
  static constexpr levin_option options[] = {levin::integer("patience", "3", "how long")};
  static constexpr levin_option option[] = {levin::integer("patience", "3", "how long")};
  void on_fit_start() {}
};
auto own_options = levin::callback<OwnOptions>("", "");
struct Good final : levin::Callback {
  void on_fit_start(levin::Event) const noexcept {}
  levin::Status on_train_batch_start(levin::Stage) { return LEVIN_OK; }
  void on_fit_end(const levin::Event& event) { event.run().log(std::string("fits/") + name(), 1); }
  void save(const levin::Writer&) {}
  void load(levin::Reader) {}
};
auto good = levin::callback<Good>("", "");
struct Inherited : Keras {
  void on_train_start() {}  // so that the other name is not taken for a typo
};
auto inherited = levin::callback<Inherited>("", "");
struct ArrayOptions : levin::Callback {
  static constexpr std::array<levin_option, 1> options = {levin::integer("patience", "3", "how long")};
  void on_fit_start() {}
};
auto array_options = levin::callback<ArrayOptions>("", "");
