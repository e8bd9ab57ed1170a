// The data as a callback sees it, on the fake host.
#include "levin/detail/run_data.hpp"

#include "catch.hpp"
#include "levin/host_tensor.hpp"
#include "levin/levin.hpp"
#include "levin/testing.hpp"

using levin::Split;
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

// Prints the classes of the validation rows 2 and 0.
struct Classes : levin::Callback {
  void on_validation_end(const levin::Event& event) {
    const levin::RunData data = event.run().data();
    if (data.loaders(Split::val) == 0) return info("no validation");
    const levin::Field y = data.fields(Split::val).at(1);
    const levin::TensorList rows = data.rows(Split::val, {2, 0});
    const levin::HostTensor labels(event.run(), rows[1]);
    std::string line = std::to_string(data.size(Split::val)) + " rows, " + y.name + " of " + std::to_string(y.classes);
    for (int64_t i = 0; i < labels.elements(); ++i)
      line += " " + std::to_string(static_cast<const int64_t*>(labels.data())[i]);
    info(line);
  }
};
const levin_component classes = levin::callback<Classes>("classes", "for tests");

}  // namespace

TEST_CASE("a callback asks for the fields of the data and for rows") {
  FakeHost host;
  host.data[Split::val] = {
      {{levin::input("x", levin::float32, {2}), levin::target("y", 4)}, 3, {{1, 2, 3, 4, 5, 6}, {1, 2, 3}}}};
  Component callback(host, classes);
  callback.send(LEVIN_HOOK_VALIDATION_END, levin::Stage::validate);
  REQUIRE(host.messages.size() == 1);
  CHECK(host.messages[0].second == "3 rows, y of 4 3 1");
  CHECK(host.live_tensors == 0);
}

TEST_CASE("data that a run does not have is none, and its loaders are refused") {
  FakeHost host;
  Component callback(host, classes);
  callback.send(LEVIN_HOOK_VALIDATION_END, levin::Stage::validate);
  CHECK(host.messages.at(0).second == "no validation");
  const levin::detail::Services services(host.raw());
  const levin::RunData data = levin::Run(&services, host.run()).data();
  CHECK_THROWS_AS(data.fields(Split::test), levin::Error);
  host.data[Split::test] = {{{levin::input("x", levin::float32, {})}, 1, {{7}}}};
  CHECK_THROWS_AS(data.rows(Split::test, {1}), levin::Error);
  host.data[Split::test][0].rows = -1;
  CHECK(data.size(Split::test) == -1);
  CHECK_THROWS_AS(data.rows(Split::test, {0}), levin::Error);
}
