#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sched.h>
#include <cerrno>
#include <csignal>
#include <initializer_list>

#ifdef LEVIN_HAS_SECCOMP
#include <seccomp.h>
#endif

#include "core/plugin/describe.hpp"

namespace levin::core {
namespace {

void limit(int resource, rlim_t most) {
  struct rlimit now {};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return;
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
  const struct rlimit lower { most, most };
  setrlimit(static_cast<__rlimit_resource>(resource), &lower);
}

#ifdef LEVIN_HAS_SECCOMP

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ALLOW)) {}
  ~Filter() { seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  // Ignores calls that this processor does not have. Does nothing without seccomp.
  template <class... Compare>
  void deny(int call, int error, Compare... compare) {
    if (context_ != nullptr && call != __NR_SCMP_ERROR)
      seccomp_rule_add(context_, SCMP_ACT_ERRNO(static_cast<uint32_t>(error)), call, sizeof...(compare), compare...);
  }
  void load() {
    if (context_ != nullptr) seccomp_load(context_);
  }

 private:
  scmp_filter_ctx context_;
};

void deny_system_calls() {
  Filter filter;
  for (const int call : {SCMP_SYS(socket),      SCMP_SYS(connect),      SCMP_SYS(bind),
                         SCMP_SYS(execve),      SCMP_SYS(execveat),     SCMP_SYS(fork),
                         SCMP_SYS(vfork),       SCMP_SYS(creat),        SCMP_SYS(unlink),
                         SCMP_SYS(unlinkat),    SCMP_SYS(rename),       SCMP_SYS(renameat),
                         SCMP_SYS(renameat2),   SCMP_SYS(rmdir),        SCMP_SYS(mkdir),
                         SCMP_SYS(mkdirat),     SCMP_SYS(link),         SCMP_SYS(linkat),
                         SCMP_SYS(symlink),     SCMP_SYS(symlinkat),    SCMP_SYS(mknod),
                         SCMP_SYS(mknodat),     SCMP_SYS(truncate),     SCMP_SYS(chmod),
                         SCMP_SYS(fchmod),      SCMP_SYS(fchmodat),     SCMP_SYS(chown),
                         SCMP_SYS(fchown),      SCMP_SYS(fchownat),     SCMP_SYS(lchown),
                         SCMP_SYS(setxattr),    SCMP_SYS(fsetxattr),    SCMP_SYS(lsetxattr),
                         SCMP_SYS(utimensat),   SCMP_SYS(ptrace),       SCMP_SYS(mount),
                         SCMP_SYS(umount2),     SCMP_SYS(setns),        SCMP_SYS(unshare),
                         SCMP_SYS(bpf),         SCMP_SYS(keyctl),       SCMP_SYS(add_key),
                         SCMP_SYS(tkill),       SCMP_SYS(pidfd_open),   SCMP_SYS(process_vm_writev),
                         SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(pidfd_send_signal)})
    filter.deny(call, EACCES);
  // The C library then falls back to an older call, whose arguments the filter can check.
  for (const int call : {SCMP_SYS(openat2), SCMP_SYS(clone3), SCMP_SYS(io_uring_setup)}) filter.deny(call, ENOSYS);
  for (const uint64_t flag : {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC}) {
    const uint64_t bit = flag;
    filter.deny(SCMP_SYS(open), EACCES, SCMP_A1(SCMP_CMP_MASKED_EQ, bit, bit));
    filter.deny(SCMP_SYS(openat), EACCES, SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit));
  }
  filter.deny(SCMP_SYS(clone), EACCES, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  const auto own = static_cast<uint64_t>(getpid());
  filter.deny(SCMP_SYS(kill), EACCES, SCMP_A0(SCMP_CMP_NE, own));
  filter.deny(SCMP_SYS(tgkill), EACCES, SCMP_A0(SCMP_CMP_NE, own));
  filter.load();
}

#else
void deny_system_calls() {}
#endif

}  // namespace

void confine() {
  limit(RLIMIT_CPU, 120);         // seconds; loading a LibTorch takes one
  limit(RLIMIT_FSIZE, 64 << 20);  // size of the answer
  limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which reserve far more
  limit(RLIMIT_DATA, rlim_t{16} << 30);
#endif
  deny_system_calls();
}

}  // namespace levin::core
