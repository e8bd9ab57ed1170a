#include "host/compose/run_builder.hpp"

#include "catch.hpp"
#include "fake_source.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {
std::vector<Setting> some_settings() {
  return {said("model.depth", "34"),
          said("callback.best", "keeper"),
          said("callback.stopper", false),
          said("logger", "board"),
          said("trainer.limit_train_batches", 1),
          said("trainer.overfit_batches", 0.5),
          said("model.token", "hunter2"),
          said("data.batch_size", 8)};
}
}  // namespace

TEST_CASE("the printed configuration says where each value came from") {
  FakeSource source;
  const std::string text = print_config(built(source, some_settings()));
  CHECK_THAT(text, ContainsSubstring("\"component\": \"/fake/net.so:net\""));
  CHECK_THAT(text, ContainsSubstring("// --model.depth"));
  CHECK_THAT(text, ContainsSubstring("// default"));
  CHECK_THAT(text, ContainsSubstring("token is a secret and not shown: --model.token"));
  CHECK_THAT(text, !ContainsSubstring("hunter2"));
  CHECK_THAT(text, ContainsSubstring("keeper is off: in favour of callback.best"));
}

TEST_CASE("the printed configuration, given back, makes the same run") {
  FakeSource source;
  auto settings = some_settings();
  settings.erase(settings.end() - 2);  // the secret is not printed
  const auto first = built(source, settings);
  RunRequest request = request_of(from_file(print_config(first)));
  const auto again = build_run(request, source);
  auto expected = to_json(first.config), got = to_json(again.config);
  for (const char* said_otherwise : {"origins", "loader_given"}) {
    expected.erase(said_otherwise);
    got.erase(said_otherwise);
  }
  CHECK(got == expected);
}
