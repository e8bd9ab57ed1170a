#include "tasks/worker/drop_privileges.hpp"

#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/error.hpp"

namespace levin::core::tasks {

void drop_privileges(const nlohmann::json& user) {
  if (user.is_null()) return;
  const auto name = user.at("name").get<std::string>();
  const auto uid = user.at("uid").get<uid_t>();
  const auto gid = user.at("gid").get<gid_t>();
  const pid_t parent = ::getppid();
  const bool done = ::initgroups(name.c_str(), gid) == 0 && ::setresgid(gid, gid, gid) == 0 &&
                    ::setresuid(uid, uid, uid) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  if (!done)
    throw Error(ErrorCode::rights_not_dropped,
                "the process cannot become user " + name + "'s: " + std::strerror(errno));
  if (::setuid(0) == 0 || ::geteuid() != uid || ::getegid() != gid)
    throw Error(ErrorCode::rights_not_dropped, "the process has kept rights of root");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the kernel forgets it with the user
  ::prctl(PR_SET_DUMPABLE, 1);         // else the process cannot read its own entries in /proc
  if (::getppid() != parent) std::_Exit(1);
  for (const auto& [variable, value] :
       {std::pair("HOME", user.at("home").get<std::string>()), std::pair("USER", name), std::pair("LOGNAME", name)})
    ::setenv(variable, value.c_str(), 1);
}

}  // namespace levin::core::tasks
