// The event files of an earlier session, which a resumed run truncates, keeps or removes.
#include "loggers/tensorboard/event_files.hpp"
#include "tests/fuzz/target.hpp"

using levin::tensorboard::EventFiles;

LEVIN_FUZZ_TARGET(event_files) {
  static const levin::fuzz::ScratchFolder folder;
  const std::string name = "events.out.tfevents.1700000000.host.1.0", bytes = levin::fuzz::text_of(data, size);
  folder.put(name, bytes);
  const EventFiles files(folder.path(), "levin tensorboard");
  files.cut({{name, size / 2}});
  if (std::filesystem::file_size(folder.path() / name) != size / 2) std::abort();
  const std::string aside = files.set_aside();
  if (!aside.empty()) std::filesystem::remove_all(folder.path() / aside);
}
