// The state that a metric keeps of the batches.
#include "samples.hpp"

#include <ATen/record_function.h>

#include <cmath>
#include <cstring>

#include "catch.hpp"

using namespace levin::metrics;

namespace {

// Counts the calls of at::cat on this thread during its lifetime.
class CountCats {
 public:
  CountCats() {
    calls() = 0;
    const auto begin = [](const at::RecordFunction& f) -> std::unique_ptr<at::ObserverContext> {
      if (std::strcmp(f.name(), "aten::cat") == 0) ++calls();
      return nullptr;
    };
    handle_ = at::addThreadLocalCallback(at::RecordFunctionCallback(begin));
  }
  ~CountCats() { at::removeCallback(handle_); }
  static int& calls() {
    static int n = 0;
    return n;
  }

 private:
  at::CallbackHandle handle_;
};

}  // namespace

TEST_CASE("scores are put together when they are read, not batch by batch") {
  AUROC a;
  {
    const CountCats cats;
    for (int i = 0; i < 50; ++i) a.update(numbers({0.1, 0.35}), classes({0, 1}));
    CHECK(cats.calls() == 0);
    CHECK(a.compute() == Approx(1));
    CHECK(cats.calls() == 2);
    CHECK(a.compute() == Approx(1));
    CHECK(cats.calls() == 2);
  }
  a.update(numbers({0.4, 0.05}), classes({0, 1}));
  CHECK(a.states()[0].tensor.size(0) == 102);
  CHECK(a.states()[1].tensor.size(0) == 102);
  CHECK(a.compute() == Approx(1 - (51.0 + 50.0) / (51 * 51)));
  a.reset();
  CHECK(std::isnan(a.compute()));
  CHECK_FALSE(a.states()[0].tensor.defined());
}

TEST_CASE("scores are kept apart from the memory of their batch, and from inference mode") {
  AUROC a;
  const at::Tensor scores = numbers({0.1, 0.9}), truth = classes({0, 1});
  a.update(scores, truth);
  scores.fill_(0.5);
  truth.fill_(0);
  {
    const c10::InferenceMode inference;
    a.update(numbers({0.2, 0.8}), classes({0, 1}));
  }
  a.update(numbers({0.3, 0.7}), classes({0, 1}));
  CHECK(a.compute() == Approx(1));
}
