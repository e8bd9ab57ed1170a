// Configuration files written by users, in each format.
#include "core/base/error.hpp"
#include "host/compose/setting.hpp"
#include "host/config_files/config_file.hpp"
#include "host/config_files/lightning_cli.hpp"
#include "tests/compose/fake_source.hpp"
#include "tests/fuzz/target.hpp"

using namespace levin::core;

LEVIN_FUZZ_TARGET(config_files) {
  const std::string text = levin::fuzz::text_of(data, size);
  for (const char* name : {"run.yaml", "run.toml", "run.json"}) try {
      const JsonDocument document = parse_config(text, name);
      if (document.value.dump(-1, ' ', false, nlohmann::json::error_handler_t::strict).empty()) std::abort();
      static FakeSource source;
      std::vector<std::string> warnings;
      std::vector<Error> errors;
      for (const Setting& setting : settings_of_layer({name, document}, rank_file, {source, {}, warnings, &errors}))
        if (setting.key.empty() || setting.origin.empty()) std::abort();
      settings_of_layer({name, document}, rank_file, {source, {}, warnings});
      if (!errors.empty()) std::abort();  // without the list the first one is thrown
    } catch (const Error&) {
    }
}
