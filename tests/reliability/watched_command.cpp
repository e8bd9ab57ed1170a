#include "tests/reliability/watched_command.hpp"

#include <poll.h>
#include <seccomp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "tests/reliability/file_call.hpp"

namespace levin::reliability {
namespace {

// A message of one byte with space for one descriptor.
struct DescriptorMessage {
  char byte = 0;
  iovec content{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr raw{};
  DescriptorMessage() {
    raw.msg_iov = &content;
    raw.msg_iovlen = 1;
    raw.msg_control = space;
    raw.msg_controllen = sizeof space;
  }
  DescriptorMessage(const DescriptorMessage&) = delete;
  DescriptorMessage& operator=(const DescriptorMessage&) = delete;
  cmsghdr* head() { return CMSG_FIRSTHDR(&raw); }
};

void send_descriptor(int socket, int fd) {
  DescriptorMessage message;
  message.head()->cmsg_level = SOL_SOCKET;
  message.head()->cmsg_type = SCM_RIGHTS;
  message.head()->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(message.head()), &fd, sizeof fd);
  ::sendmsg(socket, &message.raw, 0);
}

int receive_descriptor(int socket) {
  DescriptorMessage message;
  int fd = -1;
  if (::recvmsg(socket, &message.raw, MSG_CMSG_CLOEXEC) <= 0 || message.head() == nullptr) return -1;
  std::memcpy(&fd, CMSG_DATA(message.head()), sizeof fd);
  return fd;
}

// Runs in the child: all further calls are watched.
[[noreturn]] void begin(const std::vector<std::string>& command, int socket) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  for (const int call : watched_calls()) seccomp_rule_add(filter, SCMP_ACT_NOTIFY, call, 0);
  if (seccomp_load(filter) != 0) ::_exit(127);
  const int fd = seccomp_notify_fd(filter);
  send_descriptor(socket, fd);
  ::close(fd);
  ::close(socket);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  ::_exit(127);
}

// Returns false if no watched process is left.
bool answer_one(int fd, const std::function<Answer(const seccomp_notif&)>& ask) {
  pollfd ready{fd, POLLIN, 0};
  if (::poll(&ready, 1, -1) < 0) return errno == EINTR;
  if ((ready.revents & POLLIN) == 0) return false;
  seccomp_notif* stopped = nullptr;
  seccomp_notif_resp* reply = nullptr;
  seccomp_notify_alloc(&stopped, &reply);
  if (seccomp_notify_receive(fd, stopped) == 0) {
    const Answer answer = ask(*stopped);
    reply->id = stopped->id;
    reply->error = -answer.error;
    reply->val = answer.done ? answer.result : 0;
    reply->flags = answer.error == 0 && !answer.done ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
    seccomp_notify_respond(fd, reply);  // fails if the thread has ended, which is no error
  }
  seccomp_notify_free(stopped, reply);
  return true;
}

}  // namespace

int run_watched(const std::vector<std::string>& command, const std::function<Answer(const seccomp_notif&)>& ask) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) throw std::runtime_error("no socketpair");
  const pid_t child = ::fork();
  if (child == 0) begin(command, sockets[1]);
  ::close(sockets[1]);
  const int fd = receive_descriptor(sockets[0]);
  ::close(sockets[0]);
  if (fd < 0) throw std::runtime_error("the system has no seccomp notifications");
  while (answer_one(fd, ask)) {
  }
  ::close(fd);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace levin::reliability
