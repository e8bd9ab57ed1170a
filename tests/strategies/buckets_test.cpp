// The gradients of several processes, averaged in buckets.
#include <ATen/ATen.h>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/strategies/common/gradient_buckets.hpp"
#include "tests/distributed/forked_ranks.hpp"
#include "tests/strategies/small_net.hpp"

using namespace levin::core;

namespace {

at::Tensor good_loss() { return at::zeros({}); }

// Returns a rank's loss, whose gradients are rank + 1 everywhere.
at::Tensor loss_of(const SmallNet& net, int rank) { return (net.weight.sum() + net.bias.sum()) * (rank + 1.0); }

// Returns the error that a call throws, or "nothing".
template <class F>
std::string error_of(const F& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("gradients become the mean of the processes, in one bucket and in several, compressed or not") {
  struct Row {
    int64_t first_bytes;
    GradientCompression compression;
    bool views;
    double tolerance;
  };
  const Row rows[] = {{1 << 20, GradientCompression::none, false, 1e-6},
                      {4, GradientCompression::none, false, 1e-6},
                      {4, GradientCompression::none, true, 1e-6},
                      {1 << 20, GradientCompression::fp16, false, 1e-3},
                      {1 << 20, GradientCompression::bf16, false, 1e-2}};
  for (const Row& row : rows)
    CHECK(in_ranks(3, [&](Processes& processes) {
            const SmallNet net(1);
            const auto optimizer = net.optimizer();
            BucketOptions options;
            options.first_bytes = row.first_bytes;
            options.bytes = row.first_bytes;
            options.compression = row.compression;
            options.gradients_are_views = row.views;
            GradientBuckets buckets(*optimizer, processes.group(), options);
            for (int step = 0; step < 2; ++step) {
              optimizer->zero_grad();
              buckets.begin(good_loss());
              loss_of(net, processes.group().rank()).backward();
              buckets.finish();
              require(is_filled(net.weight.grad(), 2, row.tolerance) && is_filled(net.bias.grad(), 2, row.tolerance),
                      "not the mean of 1, 2 and 3");
              require(buckets.reduced(), "the buckets do not know that they are reduced");
            }
          }) == all_well(3));
}

TEST_CASE("a loss that is not finite in one process is known in all") {
  CHECK(in_ranks(2, [](Processes& processes) {
          const SmallNet net(1);
          const auto optimizer = net.optimizer();
          GradientBuckets buckets(*optimizer, processes.group(), {});
          const bool bad = processes.group().rank() == 1;
          buckets.begin(at::full({}, bad ? 1.0 : 0.0));
          loss_of(net, 0).backward();
          buckets.finish();
          require(buckets.bad_loss().item<double>() != 0, "nobody said so");
        }) == all_well(2));
}

TEST_CASE("a parameter without a gradient is named, unless unused parameters are allowed") {
  CHECK(in_ranks(2, [](Processes& processes) {
          const SmallNet net(1);
          const auto optimizer = net.optimizer();
          GradientBuckets buckets(*optimizer, processes.group(), {});
          buckets.begin(good_loss());
          net.weight.sum().backward();
          const std::string error = error_of([&] { buckets.finish(); });
          require(error.find("'bias' got no gradient") != std::string::npos, error);
          require(error.find("--trainer.find_unused_parameters true") != std::string::npos, error);
        }) == all_well(2));
  CHECK(in_ranks(2, [](Processes& processes) {
          const SmallNet net(1);
          const auto optimizer = net.optimizer();
          BucketOptions options;
          options.find_unused = true;
          GradientBuckets buckets(*optimizer, processes.group(), options);
          buckets.begin(good_loss());
          (processes.group().rank() == 0 ? net.weight : net.bias).sum().backward();
          buckets.finish();
          require(is_filled(net.weight.grad(), 0.5) && is_filled(net.bias.grad(), 0.5), "not half of one process's");
        }) == all_well(2));
}

TEST_CASE("a process without a loss adds nothing; where none has one, none gets a gradient") {
  for (const bool any : {true, false})
    CHECK(in_ranks(2, [any](Processes& processes) {
            const SmallNet net(1);
            const auto optimizer = net.optimizer();
            GradientBuckets buckets(*optimizer, processes.group(), {});
            buckets.begin(good_loss());
            if (any && processes.group().rank() == 0) loss_of(net, 0).backward();
            buckets.finish();
            require(any ? is_filled(net.weight.grad(), 0.5) : !net.weight.grad().defined(), "another gradient");
          }) == all_well(2));
}

TEST_CASE("a second backward before the step is refused by the name of the parameter") {
  CHECK(in_ranks(2, [](Processes& processes) {
          const SmallNet net(1);
          const auto optimizer = net.optimizer();
          GradientBuckets buckets(*optimizer, processes.group(), {});
          buckets.begin(good_loss());
          loss_of(net, 0).backward();
          const std::string error = error_of([&] { loss_of(net, 0).backward(); });
          require(error.find("was computed twice in one backward pass") != std::string::npos, error);
        }) == all_well(2));
}

TEST_CASE("buckets are for the parameters as they were: a new group or a frozen parameter needs new ones") {
  CHECK(in_ranks(2, [](Processes& processes) {
          SmallNet net(1);
          const auto optimizer = net.optimizer();
          GradientBuckets buckets(*optimizer, processes.group(), {});
          require(buckets.fit(*optimizer), "they do not fit the optimizer that they were made for");
          net.bias.set_requires_grad(false);
          require(!buckets.fit(*optimizer), "they fit though a parameter is frozen");
          net.bias.set_requires_grad(true);
          ParamGroup more;
          more.params = {at::zeros({2}).set_requires_grad(true)};
          more.names = {"more"};
          optimizer->add_group(more);
          require(!buckets.fit(*optimizer), "they fit though there is another group");
        }) == all_well(2));
}
