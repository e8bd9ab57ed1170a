#include "core/weights/pickle.hpp"

#include "core/weights/pickle_machine.hpp"

namespace levin::core {
namespace {

using Kind = PickleValue::Kind;
using Machine = PickleMachine;

struct Operation {
  unsigned char opcode;
  void (*run)(Machine& m);
};

constexpr Operation operations[] = {
    // containers
    {'(', [](Machine& m) { m.mark(); }},
    {')', [](Machine& m) { m.push(Kind::tuple); }},
    {'t', [](Machine& m) { m.push(Kind::tuple, m.pop_group()); }},
    {0x85, [](Machine& m) { m.push(Kind::tuple, m.pop_last(1)); }},
    {0x86, [](Machine& m) { m.push(Kind::tuple, m.pop_last(2)); }},
    {0x87, [](Machine& m) { m.push(Kind::tuple, m.pop_last(3)); }},
    {']', [](Machine& m) { m.push(Kind::list); }},
    {'l', [](Machine& m) { m.push(Kind::list, m.pop_group()); }},
    {'}', [](Machine& m) { m.push(Kind::dict); }},
    {'d',
     [](Machine& m) {
       const auto items = m.pop_group();
       m.push(Kind::dict);
       m.fill_top(Kind::dict, items);
     }},
    {0x8f, [](Machine& m) { m.push(Kind::set); }},
    {0x91, [](Machine& m) { m.push(Kind::set, m.pop_group()); }},
    {'a', [](Machine& m) { m.fill_top(Kind::list, m.pop_last(1)); }},
    {'e', [](Machine& m) { m.fill_top(Kind::list, m.pop_group()); }},
    {'s', [](Machine& m) { m.fill_top(Kind::dict, m.pop_last(2)); }},
    {'u', [](Machine& m) { m.fill_top(Kind::dict, m.pop_group()); }},
    {0x90, [](Machine& m) { m.fill_top(Kind::set, m.pop_group()); }},
    // numbers
    {'N', [](Machine& m) { m.push(Kind::none); }},
    {0x88, [](Machine& m) { m.push_integer(1, Kind::boolean); }},
    {0x89, [](Machine& m) { m.push_integer(0, Kind::boolean); }},
    {'J', [](Machine& m) { m.push_integer(m.little<int32_t>()); }},
    {'K', [](Machine& m) { m.push_integer(m.little<uint8_t>()); }},
    {'M', [](Machine& m) { m.push_integer(m.little<uint16_t>()); }},
    {'I', [](Machine& m) { m.integer_of_line(); }},
    {'L', [](Machine& m) { m.push_integer(m.number_of_line<int64_t>()); }},
    {'F', [](Machine& m) { m.push_real(m.number_of_line<double>()); }},
    {'G', [](Machine& m) { m.big_endian_real(); }},
    {0x8a, [](Machine& m) { m.long_integer(m.little<uint8_t>()); }},
    {0x8b, [](Machine& m) { m.long_integer(m.little<uint32_t>()); }},
    // text and bytes
    {'X', [](Machine& m) { m.push(Kind::text, m.take(m.little<uint32_t>())); }},
    {0x8c, [](Machine& m) { m.push(Kind::text, m.take(m.little<uint8_t>())); }},
    {0x8d, [](Machine& m) { m.push(Kind::text, m.take(m.little<uint64_t>())); }},
    {'V', [](Machine& m) { m.push(Kind::text, m.line()); }},
    {'U', [](Machine& m) { m.push(Kind::text, m.take(m.little<uint8_t>())); }},
    {'T', [](Machine& m) { m.push(Kind::text, m.take(m.little<uint32_t>())); }},
    {'B', [](Machine& m) { m.push(Kind::bytes, m.take(m.little<uint32_t>())); }},
    {'C', [](Machine& m) { m.push(Kind::bytes, m.take(m.little<uint8_t>())); }},
    {0x8e, [](Machine& m) { m.push(Kind::bytes, m.take(m.little<uint64_t>())); }},
    {0x96, [](Machine& m) { m.push(Kind::bytes, m.take(m.little<uint64_t>())); }},
    // the memo and the stack
    {'q', [](Machine& m) { m.memoize(m.little<uint8_t>()); }},
    {'r', [](Machine& m) { m.memoize(m.little<uint32_t>()); }},
    {'p', [](Machine& m) { m.memoize(m.number_of_line<uint64_t>()); }},
    {0x94, [](Machine& m) { m.number_next(); }},
    {'h', [](Machine& m) { m.recall(m.little<uint8_t>()); }},
    {'j', [](Machine& m) { m.recall(m.little<uint32_t>()); }},
    {'g', [](Machine& m) { m.recall(m.number_of_line<uint64_t>()); }},
    {'0', [](Machine& m) { m.pop(); }},
    {'1', [](Machine& m) { m.pop_group(); }},
    {'2', [](Machine& m) { m.push(m.top()); }},
    // names, and calls
    {'c', [](Machine& m) { m.global_of_lines(); }},
    {0x93, [](Machine& m) { m.global_of_stack(); }},
    {'R', [](Machine& m) { m.call(); }},
    {0x81, [](Machine& m) { m.call(); }},  // a new object
    {0x92,
     [](Machine& m) {
       m.pop();  // keyword arguments are dropped
       m.call();
     }},
    {'b', [](Machine& m) { m.set_state(); }},
    {'Q', [](Machine& m) { m.push(Kind::persistent, m.pop_last(1)); }},
    {0x80, [](Machine& m) { m.protocol(); }},
    {0x95, [](Machine& m) { m.take(8); }},  // the length of a frame, only a hint for reading ahead
};
constexpr unsigned char stop = '.';

struct Table {
  void (*run[256])(Machine& m) = {};
  Table() {
    for (const Operation& o : operations) run[o.opcode] = o.run;
  }
};

}  // namespace

Pickle::Pickle(std::string_view bytes) {
  static const Table table;
  Machine machine(bytes, values_);
  for (unsigned char opcode = machine.next(); opcode != stop; opcode = machine.next()) {
    if (!table.run[opcode]) machine.fail("operation " + std::to_string(opcode) + " is not known");
    table.run[opcode](machine);
  }
  root_ = machine.pop();
  length_ = machine.position();
}

bool Pickle::find(uint32_t dict, std::string_view key, uint32_t* into) const {
  const PickleValue& value = values_[dict];
  if (value.kind != Kind::dict) return false;
  for (size_t i = 0; i + 1 < value.items.size(); i += 2) {
    const PickleValue& name = values_[value.items[i]];
    if (name.kind != Kind::text || name.text != key) continue;
    *into = value.items[i + 1];
    return true;
  }
  return false;
}

}  // namespace levin::core
