#include "pickle.hpp"

#include "levin/error.hpp"

namespace cifar {

using Value = Pickle::Value;
using Kind = Value::Kind;

Pickle::Pickle(const std::vector<uint8_t>& bytes, std::string name) : name_(std::move(name)) {
  top_ = run(bytes);
  if (top_->kind != Value::Kind::dict) fail("holds no dictionary");
}

void Pickle::fail(const std::string& what) const { throw levin::Error(LEVIN_E_IO, name_ + " " + what); }

const Value* Pickle::find(const std::string& key) const {
  for (size_t i = 0; i + 1 < top_->values.size(); i += 2)
    if (top_->values[i]->kind == Kind::text && top_->values[i]->text == key) return top_->values[i + 1];
  return nullptr;
}

const Value& Pickle::list(const std::string& key) const {
  const Value* const found = find(key);
  if (!found || found->kind != Kind::list) fail("has no list '" + key + "'");
  return *found;
}

std::vector<int64_t> Pickle::numbers(const std::string& key) const {
  std::vector<int64_t> out;
  for (const Value* value : list(key).values) {
    if (value->kind != Kind::number) fail("has something else than numbers in '" + key + "'");
    out.push_back(value->number);
  }
  return out;
}

std::vector<std::string> Pickle::texts(const std::string& key) const {
  std::vector<std::string> out;
  for (const Value* value : list(key).values) {
    if (value->kind != Kind::text) fail("has something else than texts in '" + key + "'");
    out.emplace_back(value->text);
  }
  return out;
}

const Value& Pickle::bytes(const std::string& key) const {
  const Value* const found = find(key);
  if (!found || found->kind != Kind::array || found->values.size() != 2) fail("has no array '" + key + "' of bytes");
  uint64_t n = 1;
  for (const Value* size : found->values) {
    if (size->kind != Kind::number || size->number < 0 || size->number > INT32_MAX) fail("has a size that is none");
    n *= static_cast<uint64_t>(size->number);
  }
  if (n != found->text.size())
    fail("has " + std::to_string(found->text.size()) + " bytes in '" + key + "', not " + std::to_string(n));
  return *found;
}

}  // namespace cifar
