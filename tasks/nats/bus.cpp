#include "tasks/nats/bus.hpp"

#include <nats/nats.h>

#include <cstdlib>
#include <thread>

#include "core/base/error.hpp"
#include "tasks/nats/refusals.hpp"

namespace levin::core::tasks {
namespace {

using std::chrono::milliseconds;

BusMessage message_of(natsMsg* raw) {
  BusMessage out;
  const auto text = [](const char* t) { return t ? std::string(t) : std::string(); };
  out.subject = text(natsMsg_GetSubject(raw));
  out.reply = text(natsMsg_GetReply(raw));
  if (natsMsg_GetDataLength(raw) > 0)
    out.bytes.assign(natsMsg_GetData(raw), static_cast<size_t>(natsMsg_GetDataLength(raw)));
  const char* value = nullptr;
  if (natsMsgHeader_Get(raw, "Status", &value) == NATS_OK && value) out.status = std::atoi(value);
  if (natsMsgHeader_Get(raw, "Nats-Sequence", &value) == NATS_OK && value)
    out.sequence = std::strtoull(value, nullptr, 10);
  natsMsg_Destroy(raw);
  return out;
}

class RawInbox : public Bus::Inbox {
 public:
  explicit RawInbox(natsSubscription* raw) : raw_(raw) {}
  ~RawInbox() override { natsSubscription_Destroy(raw_); }
  std::optional<BusMessage> next(milliseconds time) override {
    std::optional<BusMessage> out = next_or_nobody(time);
    return out && out->status == 503 && out->subject.empty() ? std::nullopt : out;
  }
  // If nobody listens to a request, the library answers without a message: status 503.
  std::optional<BusMessage> next_or_nobody(milliseconds time) {
    natsMsg* message = nullptr;
    const natsStatus status = natsSubscription_NextMsg(&message, raw_, std::max<int64_t>(1, time.count()));
    if (status == NATS_OK) return message_of(message);
    if (status != NATS_NO_RESPONDERS) return std::nullopt;
    BusMessage nobody;
    nobody.status = 503;
    return nobody;
  }

 private:
  natsSubscription* raw_;
};

natsSubscription* subscribed(natsConnection* connection, const std::string& subject) {
  natsSubscription* raw = nullptr;
  if (natsConnection_SubscribeSync(&raw, connection, subject.c_str()) != NATS_OK)
    throw Error(ErrorCode::server_unreachable, "cannot listen to the NATS server: the connection is closed");
  natsSubscription_SetPendingLimits(raw, -1, -1);
  return raw;
}

// The function belongs to the subscription: the library may call it until it says that it is done with it.
class RawListener : public Bus::Listener {
 public:
  using Use = std::function<void(BusMessage)>;
  RawListener(natsConnection* connection, const std::string& subject, Use use) {
    auto* kept = new Use(std::move(use));
    const auto call = [](natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
      (*static_cast<Use*>(closure))(message_of(message));
    };
    if (natsConnection_Subscribe(&raw_, connection, subject.c_str(), call, kept) != NATS_OK) {
      delete kept;
      throw Error(ErrorCode::server_unreachable, "cannot listen to the NATS server: the connection is closed");
    }
    natsSubscription_SetPendingLimits(raw_, -1, -1);
    natsSubscription_SetOnCompleteCB(
        raw_, [](void* closure) { delete static_cast<Use*>(closure); }, kept);
  }
  ~RawListener() override { natsSubscription_Destroy(raw_); }

 private:
  natsSubscription* raw_ = nullptr;
};

std::string last_reason() {
  const char* text = nats_GetLastError(nullptr);
  return text ? text : "";
}

std::string reason_of_tls() {
  return "no TLS connection: " + last_reason() +
         "; --tls_ca names the authority of its certificate, and --tls_cert and --tls_key are a client's certificate";
}

void set_tls(natsOptions* o, const BusAddress& address) {
  const auto require = [](natsStatus status, const std::string& file, const char* what) {
    if (status != NATS_OK) throw Error(ErrorCode::file_content_invalid, file + " has no " + what + " that can be used");
  };
  require(natsOptions_SetSecure(o, true), "this build of libnats", "TLS");
  if (address.own_server) natsOptions_SkipServerVerification(o, true);
  if (!address.tls_ca.empty())
    require(natsOptions_LoadCATrustedCertificates(o, address.tls_ca.c_str()), address.tls_ca, "certificates");
  if (!address.tls_cert.empty())
    require(natsOptions_LoadCertificatesChain(o, address.tls_cert.c_str(), address.tls_key.c_str()), address.tls_cert,
            "certificate with the key of --tls_key");
}

// NAME:PASSWORD, or a token of a server that has no users.
void set_token(natsOptions* o, const std::string& token) {
  const size_t colon = token.find(':');
  if (colon != std::string::npos)
    natsOptions_SetUserInfo(o, token.substr(0, colon).c_str(), token.substr(colon + 1).c_str());
  else if (!token.empty())
    natsOptions_SetToken(o, token.c_str());
}

}  // namespace

struct Bus::Raw {
  Refusals refusals;
  natsOptions* options = nullptr;
  natsConnection* connection = nullptr;
  ~Raw() {
    natsConnection_Destroy(connection);
    natsOptions_Destroy(options);
  }
};

Bus::Bus(const BusAddress& address, const std::string& name, milliseconds patience,
         const std::function<bool()>& meanwhile)
    : raw_(std::make_unique<Raw>()), server_(address.server) {
  natsOptions*& o = raw_->options;
  if (natsOptions_Create(&o) != NATS_OK) throw Error(ErrorCode::internal_error, "out of memory");
  if (natsOptions_SetURL(o, address.server.c_str()) != NATS_OK)
    throw Error(ErrorCode::option_value_invalid,
                "'" + address.server + "' is no address of a NATS server: nats://HOST:PORT");
  set_token(o, address.token);
  if (has_tls(address)) set_tls(o, address);
  if (!address.creds_file.empty()) natsOptions_SetUserCredentialsFromFiles(o, address.creds_file.c_str(), nullptr);
  natsOptions_SetName(o, name.c_str());
  natsOptions_SetTimeout(o, 3000);
  natsOptions_SetMaxReconnect(o, -1);
  natsOptions_SetReconnectWait(o, 200);
  natsOptions_SetReconnectJitter(o, 100, 100);
  natsOptions_SetPingInterval(o, 2000);
  natsOptions_SetMaxPingsOut(o, 2);
  natsOptions_SetMaxPendingMsgs(o, 1 << 20);
  natsOptions_SetErrorHandler(
      o,  // without a function, the library prints
      [](natsConnection* connection, natsSubscription*, natsStatus status, void* closure) {
        const char* text = nullptr;
        if (status == NATS_NOT_PERMITTED && natsConnection_GetLastError(connection, &text) == status && text)
          Refusals::add(closure, text);
      },
      raw_->refusals.closure());
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const natsStatus status = natsConnection_Connect(&raw_->connection, o);
    if (status == NATS_OK) return;
    const std::string where = "the NATS server " + address.server;
    if (status == NATS_ERR && !address.creds_file.empty())
      throw Error(ErrorCode::option_value_invalid,
                  "--creds_file: " + address.creds_file + " cannot be used: " + last_reason());
    if (status == NATS_CONNECTION_AUTH_FAILED && !address.creds_file.empty())
      throw Error(ErrorCode::server_refused, where + " refuses the credentials in " + address.creds_file +
                                                 ": they have expired, or are of another server");
    if (status == NATS_CONNECTION_AUTH_FAILED)
      throw Error(ErrorCode::server_refused, where + " refuses the token: give a token of this server by --token_file");
    if (status == NATS_SECURE_CONNECTION_REQUIRED || (status == NATS_SSL_ERROR && !has_tls(address)))
      throw Error(ErrorCode::server_refused,
                  where + " asks for TLS: write --server tls://HOST:PORT, and name the authority of " +
                      "its certificate by --tls_ca FILE");
    if (status == NATS_SECURE_CONNECTION_WANTED)
      throw Error(ErrorCode::server_refused,
                  where + " has no TLS: write --server nats://HOST:PORT, without --tls_ca, --tls_cert");
    if (status == NATS_SSL_ERROR) throw Error(ErrorCode::server_refused, where + " cannot be used: " + reason_of_tls());
    if (std::chrono::steady_clock::now() > end)
      throw Error(ErrorCode::server_unreachable, where + " cannot be used: " + natsStatus_GetText(status));
    meanwhile();
    std::this_thread::sleep_for(milliseconds(100));
  }
}

Bus::~Bus() = default;

void Bus::publish(const std::string& subject, std::string_view bytes, const std::string& reply) {
  const int n = static_cast<int>(bytes.size());
  if (reply.empty())
    natsConnection_Publish(raw_->connection, subject.c_str(), bytes.data(), n);
  else
    natsConnection_PublishRequest(raw_->connection, subject.c_str(), reply.c_str(), bytes.data(), n);
}

std::optional<BusMessage> Bus::request(const std::string& subject, std::string_view bytes, milliseconds time) {
  if (closed()) return std::nullopt;
  const std::string reply = new_subject();
  RawInbox answers(subscribed(raw_->connection, reply));
  publish(subject, bytes, reply);
  const auto end = std::chrono::steady_clock::now() + time;
  do {
    if (auto answer = answers.next_or_nobody(std::min(time, milliseconds(100)))) return answer;
    if (const std::string reason = refusal(subject); !reason.empty())
      throw Error(ErrorCode::server_unreachable, reason);
  } while (!closed() && std::chrono::steady_clock::now() < end);
  return std::nullopt;
}

std::unique_ptr<Bus::Inbox> Bus::inbox(const std::string& subject) {
  return std::make_unique<RawInbox>(subscribed(raw_->connection, subject));
}

std::unique_ptr<Bus::Listener> Bus::listen(const std::string& subject, std::function<void(BusMessage)> use) {
  return std::make_unique<RawListener>(raw_->connection, subject, std::move(use));
}

std::string Bus::new_subject() {
  natsInbox* raw = nullptr;
  if (natsInbox_Create(&raw) != NATS_OK) throw Error(ErrorCode::internal_error, "out of memory");
  std::string out = reinterpret_cast<const char*>(raw);
  natsInbox_Destroy(raw);
  return out;
}

size_t Bus::largest() const { return static_cast<size_t>(natsConnection_GetMaxPayload(raw_->connection)); }
bool Bus::connected() const { return natsConnection_Status(raw_->connection) == NATS_CONN_STATUS_CONNECTED; }
bool Bus::closed() const { return natsConnection_IsClosed(raw_->connection); }

std::string Bus::refusal(const std::string& subject) const {
  const std::string text = raw_->refusals.of(subject);
  return text.empty() ? ""
                      : "the NATS server " + server_ + " does not permit this with the token given: " + text +
                            "; jobs need the server's user_token, and workers its worker_token";
}

std::optional<nlohmann::json> call_jetstream(Bus& bus, const std::string& what, const nlohmann::json& request,
                                             milliseconds time) {
  const std::optional<BusMessage> answer =
      bus.request("$JS.API." + what, request.is_null() ? "" : request.dump(), time);
  if (!answer || answer->status == 503) return std::nullopt;
  nlohmann::json out = nlohmann::json::parse(answer->bytes, nullptr, false);
  if (!out.is_object()) return std::nullopt;
  if (const auto error = out.find("error"); error != out.end() && error->is_object())
    throw Error(ErrorCode::server_refused,
                "the NATS server refuses " + what + ": " + error->value("description", "no reason"));
  return out;
}

std::string refused_by_jetstream(const BusMessage& answer) {
  if (answer.status == 503) return "the job has no stream there";
  if (answer.bytes.find("\"error\"") == std::string::npos) return "";
  const nlohmann::json j = nlohmann::json::parse(answer.bytes, nullptr, false);
  const auto error = j.is_object() ? j.find("error") : j.end();
  return j.is_object() && error != j.end() && error->is_object() ? error->value("description", "no reason") : "";
}

}  // namespace levin::core::tasks
