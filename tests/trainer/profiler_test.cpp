#include "core/trainer/profiler.hpp"

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
  const nlohmann::json events = profiler.trace().at("traceEvents");
  REQUIRE(events.size() == 7);
  CHECK(events[0].at("name") == "training_step");
  CHECK(events[1].at("name") == "optimizer_step");
  CHECK(events[1].at("ts") <= events[0].at("ts"));
  CHECK(events[6].at("tid") != events[0].at("tid"));
}

TEST_CASE("nobody listens once the profiler is gone") {
  { const Profiler profiler(false); }
  CHECK(call_listener.load() == nullptr);
}
