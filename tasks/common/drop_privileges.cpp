#include "tasks/common/drop_privileges.hpp"

#include <grp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/error.hpp"

namespace levin::core::tasks {

namespace {

constexpr int kept_rights = 255;

// Returns 0, an errno, or kept_rights.
int become(const nlohmann::json& user) {
  const auto uid = user.at("uid").get<uid_t>();
  const auto gid = user.at("gid").get<gid_t>();
  const bool done = ::initgroups(user.at("name").get<std::string>().c_str(), gid) == 0 &&
                    ::setresgid(gid, gid, gid) == 0 && ::setresuid(uid, uid, uid) == 0 &&
                    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  if (!done) return errno;
  return ::setuid(0) == 0 || ::geteuid() != uid || ::getegid() != gid ? kept_rights : 0;
}

void require_done(const nlohmann::json& user, int failed) {
  if (failed == 0) return;
  throw Error(ErrorCode::rights_not_dropped,
              "this process cannot run tasks as the user '" + user.at("name").get<std::string>() +
                  "' (--user): " + (failed == kept_rights ? "it has kept rights of root" : std::strerror(failed)));
}

}  // namespace

void check_privileges_can_be_dropped(const nlohmann::json& user) {
  if (user.is_null()) return;
  const pid_t child = ::fork();
  if (child < 0)
    throw Error(ErrorCode::system_call_failed, std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) ::_exit(become(user));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  require_done(user, WIFEXITED(status) ? WEXITSTATUS(status) : kept_rights);
}

void drop_privileges(const nlohmann::json& user) {
  if (user.is_null()) return;
  const pid_t parent = ::getppid();
  require_done(user, become(user));
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the kernel forgets it with the user
  ::prctl(PR_SET_DUMPABLE, 1);         // else the process cannot read its own entries in /proc
  if (::getppid() != parent) std::_Exit(1);
  for (const auto& [variable, value] :
       {std::pair("HOME", user.at("home").get<std::string>()), std::pair("USER", user.at("name").get<std::string>()),
        std::pair("LOGNAME", user.at("name").get<std::string>())})
    ::setenv(variable, value.c_str(), 1);
}

}  // namespace levin::core::tasks
