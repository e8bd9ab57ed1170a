#include "core/trainer/profiling/profiler.hpp"

#include <ATen/ops/ones.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("a profiler counts the calls into plugins, on every thread, while it lives") {
  { const BreadcrumbScope before("libearly.so", "setup"); }
  Profiler profiler(true);
  for (int i = 0; i < 3; ++i) {
    const BreadcrumbScope outer("/plugins/libnet.so", "optimizer_step");
    const BreadcrumbScope inner("/plugins/libnet.so", "training_step");
  }
  std::thread([] { const BreadcrumbScope fill("libdata.so", "fill"); }).join();
  const std::string table = profiler.table();
  CHECK_THAT(table, ContainsSubstring("libnet.so") && ContainsSubstring("training_step") && ContainsSubstring("fill"));
  CHECK_THAT(table, !ContainsSubstring("/plugins") && !ContainsSubstring("libearly"));
  const nlohmann::json events = nlohmann::json::parse(profiler.trace()).at("traceEvents");
  REQUIRE(events.size() == 7);
  CHECK(events[0].at("name") == "training_step");
  CHECK(events[1].at("name") == "optimizer_step");
  CHECK(events[1].at("ts") <= events[0].at("ts"));
  CHECK(events[6].at("tid") != events[0].at("tid"));
}

TEST_CASE("LibTorch's operators are in the trace, within the call that made them, and not in a table alone") {
  for (const bool trace : {false, true}) {
    Profiler profiler(trace);
    {
      const BreadcrumbScope step("libnet.so", "training_step");
      at::ones({2}).add_(1);
    }
    { const CallScope next("train_dataloader_next"); }
    CHECK(profiler.sums().count({"operator", "aten::add_"}) == (trace ? 1 : 0));
    CHECK(profiler.sums().at({"host", "train_dataloader_next"}).calls == 1);
    CHECK(profiler.sums().at({"libnet.so", "training_step"}).seconds > 0);
  }
  at::ones({2}).add_(1);  // not recorded
}

TEST_CASE("nobody listens once the profiler is gone") {
  { const Profiler profiler(false); }
  CHECK(call_listener.load() == nullptr);
}
