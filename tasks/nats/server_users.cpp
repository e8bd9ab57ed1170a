#include "tasks/nats/server_users.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "launch/common/descriptor.hpp"
#include "tasks/common/random_hex.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;

struct UserRow {
  ServerUser user;
  const char* name;
  std::vector<const char*> publish, never_publish, subscribe;  // subjects; no subjects = all are allowed
};

// The subjects are those of JobStream, the service and the worker.
const std::vector<UserRow>& users() {
  static const std::vector<UserRow> table = {
      {ServerUser::service, "service", {}, {}, {}},
      {ServerUser::user,
       "user",
       {"levin.service",
        "levin.jobs",
        "levin.wake",
        "levin.stop",
        "levin.hold",
        "levin.job.*.task",
        "levin.job.*.task.*",
        "levin.job.*.blob.library.*",
        "levin.job.*.blob.*.task.*",
        "$JS.API.STREAM.NAMES",
        "$JS.API.STREAM.CREATE.*",
        "$JS.API.STREAM.DELETE.*",
        "$JS.API.STREAM.PURGE.*",
        "$JS.API.STREAM.MSG.DELETE.*",
        "$JS.API.CONSUMER.DURABLE.CREATE.*.*",
        "$JS.API.CONSUMER.DELETE.*.result",
        "$JS.API.CONSUMER.INFO.*.*",
        "$JS.API.CONSUMER.MSG.NEXT.*.result",
        "$JS.API.DIRECT.GET.*",
        "$JS.ACK.*.result.>"},
       {},
       {"_INBOX.>", "levin.hello", "levin.workers"}},
      {ServerUser::worker,
       "worker",
       {"levin.hello", "levin.workers", "levin.nobody", "levin.job.*.result", "levin.job.*.blob.*.result.*.*",
        "$JS.API.CONSUMER.INFO.*.*", "$JS.API.CONSUMER.MSG.NEXT.*.*", "$JS.API.DIRECT.GET.*", "$JS.ACK.>"},
       {"$JS.API.CONSUMER.MSG.NEXT.*.result", "$JS.ACK.*.result.>"},
       {"_INBOX.>", "levin.jobs", "levin.stop", "levin.hold", "levin.wake"}},
  };
  return table;
}

const UserRow& row_of(ServerUser user) { return users().at(static_cast<size_t>(user)); }

}  // namespace

void write_private(const fs::path& path, const std::string& text) {
  const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!fd.open() || ::fchmod(fd.get(), 0600) != 0 ||
      ::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw Error(code_of_write(errno),
                path.string() + " cannot be written: " + std::strerror(errno) + advice_on_write(errno));
}

fs::path token_file_of(const fs::path& folder, ServerUser user) {
  return folder / (std::string(row_of(user).name) + "_token");
}

std::string token_of(const fs::path& folder, ServerUser user) {
  const fs::path file = token_file_of(folder, user);
  const std::string begin = std::string(row_of(user).name) + ":";
  if (!is_file(file)) {
    std::string made = begin + random_hex(24);
    write_private(file, made + "\n");
    return made;
  }
  std::string out = trim(read_file(file, ErrorCode::operation_failed));
  if (out.compare(0, begin.size(), begin) != 0 || out.size() == begin.size())
    throw Error(ErrorCode::server_not_started,
                file.string() + " has to contain " + begin + "PASSWORD; remove the file, and a new one is made");
  return out;
}

nlohmann::json authorization_of(const fs::path& folder) {
  nlohmann::json out = nlohmann::json::array();
  for (const UserRow& row : users()) {
    const std::string token = token_of(folder, row.user);
    nlohmann::json user = {{"user", row.name}, {"password", token.substr(token.find(':') + 1)}};
    if (!row.publish.empty()) user["permissions"]["publish"]["allow"] = row.publish;
    if (!row.never_publish.empty()) user["permissions"]["publish"]["deny"] = row.never_publish;
    if (!row.subscribe.empty()) user["permissions"]["subscribe"]["allow"] = row.subscribe;
    out.push_back(std::move(user));
  }
  return {{"users", out}};
}

}  // namespace levin::core::tasks
