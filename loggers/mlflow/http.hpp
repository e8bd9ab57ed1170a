// Requests to a server that may be slow, dead or hostile. Every request ends within a time limit, and an answer takes a
// bounded amount of memory.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace levin::mlflow {

struct Answer {
  int status = 0;          // of HTTP; 0 = there was no whole answer
  std::string body;        // at most 1 MiB
  std::string problem;     // why there was no answer
  double retry_after = 0;  // seconds; 0 = the server does not say
};

// Who asks, as MLflow's own client reads it from the environment.
struct Access {
  std::string token;             // MLFLOW_TRACKING_TOKEN
  std::string user, password;    // MLFLOW_TRACKING_USERNAME, MLFLOW_TRACKING_PASSWORD
  bool any_certificate = false;  // MLFLOW_TRACKING_INSECURE_TLS
  std::string certificates;      // MLFLOW_TRACKING_SERVER_CERT_PATH; "" = those of the system
};
Access access_of_environment();

// One connection, which is used again. For one thread.
class Http {
 public:
  // stopped: when it becomes true, a running request ends within a second.
  Http(std::string address, Access access, const std::atomic<bool>& stopped);
  ~Http();
  Http(const Http&) = delete;
  Http& operator=(const Http&) = delete;

  // path: begins with a slash.
  Answer get(const std::string& path);
  Answer post(const std::string& path, const std::string& json);
  Answer put_file(const std::string& path, const std::filesystem::path& file);
  std::string escaped(const std::string& text) const;  // for a path or a query

 private:
  struct Handle;
  Answer perform(const std::string& path, double seconds);
  const std::string address_;
  const Access access_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace levin::mlflow
