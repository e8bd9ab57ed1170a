// Options that do not apply to a stream, and splits that cannot be distributed over processes.
#include "core/data/loader_set.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tests/data/handing_module.hpp"

using namespace levin::core;

namespace {

struct Options {
  std::string option;
  std::function<void(LoaderDefaults&)> set;
};

LoaderDefaults defaults() {
  LoaderDefaults options;
  options.batch_size = options.eval_batch_size = 4;
  options.shuffle = true;
  options.prefetch_factor = 2;
  return options;
}

// Returns the error; "" if the loaders of the split are created.
std::string make(HandingModule& module, const LoaderDefaults& options, uint32_t split = LEVIN_TRAIN,
                 const RunPlan& plan = {}, const Share& share = {}) {
  const DataModule data = module.module();
  LoaderSet loaders(data, options, plan, 0, share);
  try {
    loaders.get(split);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an option that a stream cannot honour is refused by name where the user gave it") {
  const Options cases[] = {
      {"shuffle", [](LoaderDefaults& o) { o.shuffle = true; }},
      {"drop_last", [](LoaderDefaults& o) { o.drop_last = true; }},
      {"bucket_by_length", [](LoaderDefaults& o) { o.bucket_by_length = true; }},
      {"num_workers", [](LoaderDefaults& o) { o.num_workers = 2; }},
      {"prefetch_factor", [](LoaderDefaults& o) { o.prefetch_factor = 3; }},
      {"pin_memory", [](LoaderDefaults& o) { o.pin_memory = true; }},
  };
  HandingModule module(-1);
  module.by_next();
  CHECK(make(module, defaults()) == "");
  for (const Options& c : cases) {
    LoaderDefaults options = defaults();
    c.set(options);
    CHECK(make(module, options) == "");  // a default, or a recommendation of a component
    options.given.insert(c.option);
    CHECK_THAT(make(module, options),
               ContainsSubstring("data." + c.option + " has no effect on the rows of libhands.so") &&
                   ContainsSubstring("split train") && ContainsSubstring("is a stream"));
  }
  LoaderDefaults off = defaults();
  off.shuffle = false;
  off.given = {"shuffle", "drop_last", "num_workers", "batch_size"};
  CHECK(make(module, off) == "");
}

TEST_CASE("the batch size is refused for a stream that chooses its own") {
  HandingModule module(-1);
  module.by_next();
  module.table.dataloader = [](void*, levin_loader* loader) -> levin_status {
    loader->batch_size = 0;
    return LEVIN_OK;
  };
  LoaderDefaults options = defaults();
  CHECK(make(module, options) == "");
  options.given = {"batch_size"};
  CHECK_THAT(make(module, options), ContainsSubstring("data.batch_size has no effect"));
  CHECK_THAT(make(module, options, LEVIN_VAL), ContainsSubstring("data.batch_size has no effect"));
  options.given = {"eval_batch_size"};
  CHECK(make(module, options) == "");
  CHECK_THAT(make(module, options, LEVIN_VAL), ContainsSubstring("data.eval_batch_size has no effect"));
  module.rows = 8;
  module.by_batch();
  CHECK_THAT(make(module, defaults()), ContainsSubstring("dataloader: set a batch size of 0"));
}

TEST_CASE("a data module that wants a sampler for its stream is told") {
  HandingModule module(-1);
  module.by_next();
  module.table.dataloader = [](void*, levin_loader* loader) -> levin_status {
    loader->sampler = LEVIN_SAMPLER_RANDOM;
    return LEVIN_OK;
  };
  CHECK_THAT(make(module, defaults()),
             ContainsSubstring("libhands.so: hands.dataloader: split train: requests a sampler"));
}

TEST_CASE("padding of an evaluation is refused for a stream that several processes share out") {
  HandingModule module(-1);
  module.by_next();
  RunPlan plan;
  plan.processes.pad_evaluation = true;
  const Share two{1, 2};
  CHECK_THAT(make(module, defaults(), LEVIN_VAL, plan, two),
             ContainsSubstring("trainer.pad_evaluation has no effect on the rows of libhands.so (split val)"));
  CHECK(make(module, defaults(), LEVIN_TRAIN, plan, two) == "");
  CHECK(make(module, defaults(), LEVIN_VAL, plan) == "");
  CHECK(make(module, defaults(), LEVIN_VAL, {}, two) == "");
}

TEST_CASE("loaders that go through one another again and again need a batch in each process") {
  HandingModule module(2);
  module.by_batch();
  module.table.loaders = [](void*, uint32_t, uint32_t* n) -> levin_status { return *n = 2, LEVIN_OK; };
  module.table.combined_mode = [](void*, uint32_t) { return "max_size_cycle"; };
  for (const int rank : {0, 1, 2}) {  // every rank reports the error
    CHECK_THAT(make(module, defaults(), LEVIN_VAL, {}, {rank, 3}),
               ContainsSubstring("libhands.so: split val has too few rows") && ContainsSubstring("'max_size_cycle'"));
    CHECK(make(module, defaults(), LEVIN_TRAIN, {}, {rank, 3}) == "");
    CHECK(make(module, defaults(), LEVIN_VAL, {}, {rank % 2, 2}) == "");
  }
  RunPlan plan;
  plan.processes.pad_evaluation = true;
  CHECK(make(module, defaults(), LEVIN_VAL, plan, {2, 3}) == "");
  module.rows = 0;  // no process has a batch
  CHECK(make(module, defaults(), LEVIN_VAL, {}, {2, 3}) == "");
}
