#include "tasks/service/service_client.hpp"

#include <cstdio>
#include <fstream>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "tasks/common/random_hex.hpp"
#include "tasks/driver/arguments.hpp"
#include "tasks/nats/worker.hpp"
#include "tasks/service/service.hpp"

namespace levin::core::tasks {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct ServiceAnswer {
  nlohmann::json head;
  std::string bytes;
};

class Client {
 public:
  explicit Client(const Words& words) : address_(read_address(words)), bus_(address_, "levin client", seconds(5)) {}

  // Throws the service's Error if it refuses, and Error{run} if there is none.
  ServiceAnswer ask(const nlohmann::json& head, std::string_view bytes = "") {
    std::string message = head.dump(-1, ' ', true) + "\n";
    message += bytes;
    const auto until = std::chrono::steady_clock::now() + patience_;
    // An answer is lost if the NATS server is started again.
    for (bool again = false;;) {
      const std::optional<BusMessage> answer = bus_.request(subject_service, message, seconds(10));
      if (answer && answer->status == 0) return again ? read_second(head, answer->bytes) : read(answer->bytes);
      const bool lost = !answer && head.at("what") != "put" && !std::exchange(again, true);
      if (!lost && std::chrono::steady_clock::now() > until)
        throw Error(ErrorCode::server_unreachable, "there is no host tasks serve at " + address_.server);
      std::this_thread::sleep_for(milliseconds(200));
    }
  }
  void set_patience(seconds time) { patience_ = time; }  // with a service that is started again

  void upload(const std::string& path, const std::string& sha256) {
    if (ask({{"what", "have"}, {"sha256", sha256}}).head.at("have").get<bool>()) return;
    std::ifstream in(path, std::ios::binary);
    const std::string upload = random_hex(8);
    std::string part(bus_.largest() / 2, '\0');
    for (uint64_t offset = 0;;) {
      in.read(part.data(), static_cast<std::streamsize>(part.size()));
      const auto n = static_cast<size_t>(in.gcount());
      const bool last = in.peek() == std::ifstream::traits_type::eof();
      ask({{"what", "put"}, {"sha256", sha256}, {"upload", upload}, {"offset", offset}, {"last", last}},
          std::string_view(part).substr(0, n));
      if (last) return;
      offset += n;
    }
  }

  // Prints a file of the job.
  void print(const std::string& id, const std::string& file) {
    nlohmann::json request = {{"what", "read"}, {"id", id}, {"file", file}};
    for (uint64_t offset = 0;;) {
      request["offset"] = offset;
      const ServiceAnswer part = ask(request);
      if (part.bytes.empty()) return;
      if (part.head.contains("snapshot")) request["snapshot"] = part.head["snapshot"];
      if (std::fwrite(part.bytes.data(), 1, part.bytes.size(), stdout) != part.bytes.size())
        throw Error(ErrorCode::file_not_written, "the output cannot be written");
      offset += part.bytes.size();
    }
  }

 private:
  static ServiceAnswer read(const std::string& bytes) {
    const size_t line = std::min(bytes.find('\n'), bytes.size());
    ServiceAnswer out{nlohmann::json::parse(bytes.substr(0, line), nullptr, false),
                      bytes.substr(std::min(line + 1, bytes.size()))};
    if (!out.head.is_object())
      throw Error(ErrorCode::server_refused, "the service gives an answer that cannot be read");
    if (out.head.contains("error"))
      throw Error(code_in(out.head), "host tasks serve: " + out.head["error"].get<std::string>());
    return out;
  }
  // The answer to a request that was sent twice: the first one may have changed the job.
  static ServiceAnswer read_second(const nlohmann::json& head, const std::string& bytes) {
    try {
      return read(bytes);
    } catch (const Error& e) {
      const bool changes = head.at("what") == "cancel" || head.at("what") == "retry";
      if (changes && e.code() == ErrorCode::job_state_wrong) return {};
      throw;
    }
  }
  // The service's own number. One of another version may send none, or one without an exit code of this program.
  static ErrorCode code_in(const nlohmann::json& head) {
    const int number = number_of_code(head.value("code", "")).value_or(0);
    const bool known =
        number >= 100 * static_cast<int>(ErrorKind::run) && number < 100 * (static_cast<int>(ErrorKind::processes) + 1);
    return known ? static_cast<ErrorCode>(number) : ErrorCode::server_refused;
  }
  BusAddress address_;
  Bus bus_;
  seconds patience_{3};
};

Words read_client_words(const std::vector<std::string>& all, std::vector<WordOption> more, size_t most_names) {
  for (const WordOption& option : address_options()) more.push_back(option);
  Words out = read_words(all, more);
  if (out.names.size() > most_names)
    throw Error(ErrorCode::argument_unexpected,
                "host tasks " + all[0] + ": unexpected '" + out.names[most_names] + "'");
  return out;
}

std::string id_in(const Words& words) {
  if (words.names.size() < 2) throw Error(ErrorCode::argument_missing, "host tasks " + words.names[0] + ": name a job");
  return words.names[1];
}

void print_list(const nlohmann::json& all) {
  for (const nlohmann::json& job : all.at("jobs"))
    std::printf("%-12s  %-9s  %s/%s done, %s failed  %s\n", job.value("id", "").c_str(), job.value("state", "").c_str(),
                job.at("done").dump().c_str(), job.at("all").dump().c_str(), job.at("failed").dump().c_str(),
                printable(job.value("component", "")).c_str());
  for (const nlohmann::json& worker : all.at("workers"))
    std::printf("worker %s: %s of %s busy\n", printable(worker.value("name", "")).c_str(),
                worker.at("running").dump().c_str(), worker.at("slots").dump().c_str());
  if (all.at("workers").empty())
    std::printf("no workers; start one with: %s tasks worker --server ...\n", command_name());
}

}  // namespace

int submit_job(const std::vector<std::string>& all) {
  const Words words = read_words(all, job_options());
  if (words.names.size() > 1)
    throw Error(ErrorCode::argument_unexpected, "host tasks submit: unexpected '" + words.names[1] + "'");
  if (words.has("ledger"))
    throw Error(ErrorCode::option_value_invalid,
                "host tasks submit: --ledger belongs to host tasks serve, which has the ledgers");
  const JobSettings settings = read_new_job(words);
  Client client(words);
  const std::string file = sha256_file(settings.file);
  client.upload(settings.library, settings.sha256);
  client.upload(settings.file, file);
  const nlohmann::json job = client.ask({{"what", "submit"}, {"settings", settings}, {"file", file}}).head;
  const std::string id = job.at("id");
  std::printf("%s\n", id.c_str());
  if (!job.at("new").get<bool>())
    std::fprintf(stderr, "the same job is there already: %s\n", job.at("state").get<std::string>().c_str());
  return 0;
}

int show_status(const std::vector<std::string>& all) {
  const Words words = read_client_words(all, {{"json", WordOption::flag}}, 2);
  Client client(words);
  if (words.names.size() > 1) {
    client.print(id_in(words), words.has("json") ? "json" : "table");
    return 0;
  }
  const nlohmann::json list = client.ask({{"what", "list"}}).head;
  words.has("json") ? static_cast<void>(std::printf("%s\n", list.dump(2).c_str())) : print_list(list);
  return 0;
}

int show_results(const std::vector<std::string>& all) {
  const Words words = read_client_words(all, {{"wait", WordOption::flag}}, 2);
  const std::string id = id_in(words);
  Client client(words);
  if (words.has("wait")) client.set_patience(seconds(60));
  for (;;) {
    const std::string state = client.ask({{"what", "state"}, {"id", id}}).head.at("state");
    if (state == "done") break;
    if (!words.has("wait") || state == "failed" || state == "cancelled")
      throw Error(ErrorCode::tasks_failed, "job " + id + " has no results: it is " + state +
                                               "; see host tasks status " + id + " and host tasks logs " + id);
    std::this_thread::sleep_for(milliseconds(200));
  }
  client.print(id, "output");
  return 0;
}

int show_logs(const std::vector<std::string>& all) {
  const Words words = read_client_words(all, {}, 2);
  const std::string id = id_in(words);
  Client(words).print(id, "log");
  return 0;
}

int change_job(const std::vector<std::string>& all) {
  const Words words = read_client_words(all, {}, 2);
  const std::string id = id_in(words);
  Client(words).ask({{"what", all[0]}, {"id", id}});
  return 0;
}

}  // namespace levin::core::tasks
