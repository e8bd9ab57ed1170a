// The rules for the classes of data modules, and lists of their members.
#pragma once
#include <string>
#include <vector>

#include "levin/detail/loader_plan.hpp"
#include "levin/detail/rules.hpp"
#include "levin/detail/sample.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

#define LEVIN_FOR_EACH_DATA_MEMBER(X)                                                                               \
  X(fields, Anything, "std::vector<levin::Field> fields()", Takes<>)                                                \
  X(rows, Convertible<int64_t>, "int64_t rows(levin::Split)", Takes<Split>, Takes<Split, int64_t>)                  \
  X(fill, Anything, "void fill(const levin::Fill&, const levin_view* out)", Takes<const Fill&, const levin_view*>)  \
  X(get, Anything, "void get(levin::Split, int64_t index, levin::Row&)", Takes<Split, int64_t, Row&>,               \
    Takes<Split, int64_t, int64_t, Row&>, Takes<Split, int64_t, Row&, const Draw&>,                                 \
    Takes<Split, int64_t, int64_t, Row&, const Draw&>, Takes<Split, int64_t, Sample&>,                              \
    Takes<Split, int64_t, int64_t, Sample&>, Takes<Split, int64_t, Sample&, const Draw&>,                           \
    Takes<Split, int64_t, int64_t, Sample&, const Draw&>)                                                           \
  X(batch, Anything, "void batch(const levin::Fill&, std::vector<levin_managed*>&)",                                \
    Takes<const Fill&, std::vector<levin_managed*>&>)                                                               \
  X(collate, Anything, "void collate(const std::vector<levin::Sample>& rows, std::vector<levin_managed*>& batch)",  \
    Takes<std::vector<Sample>&, std::vector<levin_managed*>&>)                                                      \
  X(resident, Anything, "void resident(levin::Split, std::vector<levin_managed*>&)",                                \
    Takes<Split, std::vector<levin_managed*>&>, Takes<Split, int64_t, std::vector<levin_managed*>&>)                \
  X(next, Convertible<bool>, "bool next(levin::Split, std::vector<levin_managed*>&)",                               \
    Takes<Split, std::vector<levin_managed*>&>, Takes<Split, int64_t, std::vector<levin_managed*>&>,                \
    Takes<const Fill&, std::vector<levin_managed*>&>)                                                               \
  X(loaders, Convertible<int64_t>, "int64_t loaders(levin::Split)", Takes<Split>)                                   \
  X(dataloader, Anything, "void dataloader(levin::LoaderPlan&)", Takes<LoaderPlan&>)                                \
  X(row_name, Convertible<std::string>, "std::string row_name(levin::Split, int64_t index)", Takes<Split, int64_t>, \
    Takes<Split, int64_t, int64_t>)                                                                                 \
  X(row_length, Convertible<int64_t>, "int64_t row_length(levin::Split, int64_t index)", Takes<Split, int64_t>,     \
    Takes<Split, int64_t, int64_t>)                                                                                 \
  X(byte_scale, Convertible<ByteScale>, "levin::ByteScale byte_scale(int64_t field)", Takes<int64_t>)               \
  X(combined_mode, Convertible<const char*>, "const char* combined_mode(levin::Split)", Takes<Split>)               \
  X(run_dir, Anything, "void run_dir(const std::string& path)", Takes<const std::string&>)                          \
  X(prepare_data, Anything, "void prepare_data()", Takes<>)                                                         \
  X(rewind, Anything, "void rewind(levin::Split, int64_t epoch)", Takes<Split, int64_t>,                            \
    Takes<Split, int64_t, int64_t>, Takes<const Fill&>)
#define LEVIN_FOR_EACH_MISSPELT_ROWS(X) \
  X(num_rows, rows)                     \
  X(n_rows, rows)                       \
  X(row_count, rows)                    \
  X(numRows, rows)                      \
  X(num_samples, rows)                  \
  X(len, rows)                          \
  X(length, rows)                       \
  X(size, rows)                         \
  X(count, rows)
#define LEVIN_FOR_EACH_MISSPELT_DATA_MEMBER(X) \
  LEVIN_FOR_EACH_MISSPELT_ROWS(X)              \
  X(get_item, get)                             \
  X(getitem, get)                              \
  X(get_row, get)                              \
  X(next_batch, next)                          \
  X(get_batch, batch)                          \
  X(collate_fn, collate)                       \
  X(prepare, prepare_data)                     \
  X(prepareData, prepare_data)                 \
  X(prepare_datas, prepare_data)               \
  X(preprare_data, prepare_data)               \
  X(preapre_data, prepare_data)                \
  X(row_names, row_name)                       \
  X(row_lengths, row_length)                   \
  X(num_loaders, loaders)                      \
  X(n_loaders, loaders)                        \
  X(combine_mode, combined_mode)               \
  X(getItem, get)                              \
  X(nextBatch, next)
struct DataNames {
  LEVIN_FOR_EACH_DATA_MEMBER(LEVIN_INT_MEMBER)
};
struct MisspeltDataNames {
  LEVIN_FOR_EACH_MISSPELT_DATA_MEMBER(LEVIN_INT_WRONG)
};
LEVIN_FOR_EACH_DATA_MEMBER(LEVIN_DETECT_MEMBER)
LEVIN_FOR_EACH_MISSPELT_DATA_MEMBER(LEVIN_MISSPELT_NAME)
// Returns true if setup or teardown takes a Stage or nothing. Other faults are reported by the rules for hooks.
template <class T, class Name>
constexpr bool is_of_stage() {
  return hook_fault<T, Name>() != Fault::none ||
         fault_of<T, HookNames, Name, Anything, Takes<Stage>, Takes<>>() == Fault::none;
}
template <class T>
constexpr bool hands_rows_over() {
  return declares<T, DataNames, name_fill>() || declares<T, DataNames, name_get>() ||
         declares<T, DataNames, name_batch>() || declares<T, DataNames, name_resident>() ||
         declares<T, DataNames, name_next>();
}
// Returns true if get(split, index, R&) of T takes an R, with or without the index of the loader or a Draw.
template <class T, class R>
constexpr bool gets() {
  return can_call<T, name_get, Takes<Split, int64_t, R&>>::value ||
         can_call<T, name_get, Takes<Split, int64_t, int64_t, R&>>::value ||
         can_call<T, name_get, Takes<Split, int64_t, R&, const Draw&>>::value ||
         can_call<T, name_get, Takes<Split, int64_t, int64_t, R&, const Draw&>>::value;
}
template <class T>
constexpr bool gets_samples() {
  return has_get<T>::value && gets<T, Sample>();
}
// Returns true if next of T does not take the requested batch size.
template <class T>
constexpr bool chooses_batch_sizes() {
  return has_next<T>::value && !can_call<T, name_next, Takes<const Fill&, std::vector<levin_managed*>&>>::value;
}
template <class T>
constexpr bool says_rows() {
#define LEVIN_OR_WRONG(wrong, right) || declares<T, MisspeltDataNames, name_##wrong>()
  return declares<T, DataNames, name_rows>() LEVIN_FOR_EACH_MISSPELT_ROWS(LEVIN_OR_WRONG);
#undef LEVIN_OR_WRONG
}
// With several loaders per split, the member must take the index of the loader. fill, batch and next have it in Fill.
template <class T, class Name, class... Forms>
constexpr bool tells_loaders_apart() {
  return !has_loaders<T>::value || !has_pointer<T, Name>::value || (can_call<T, Name, Forms>::value || ...);
}
template <class T, class R>
constexpr bool gets_of_loader() {
  return tells_loaders_apart<T, name_get, Takes<Split, int64_t, int64_t, R&>,
                             Takes<Split, int64_t, int64_t, R&, const Draw&>>();
}
#define LEVIN_LOADER_RULE(RULE, condition, declaration)                                                              \
  RULE((condition),                                                                                                  \
       "'loaders' says that a split may have several loaders, and all of them would get the same: tell them apart, " \
       "as " declaration)
#define LEVIN_LOADER_RULES(RULE)                                                                                       \
  LEVIN_LOADER_RULE(RULE, (gets_of_loader<T, Row>() || gets_of_loader<T, Sample>()),                                   \
                    "void get(levin::Split, int64_t loader, int64_t index, levin::Row&)")                              \
  LEVIN_LOADER_RULE(RULE,                                                                                              \
                    (tells_loaders_apart<T, name_resident, Takes<Split, int64_t, std::vector<levin_managed*>&>>()),    \
                    "void resident(levin::Split, int64_t loader, std::vector<levin_managed*>&)")                       \
  LEVIN_LOADER_RULE(RULE,                                                                                              \
                    (tells_loaders_apart<T, name_next, Takes<const Fill&, std::vector<levin_managed*>&>,               \
                                         Takes<Split, int64_t, std::vector<levin_managed*>&>>()),                      \
                    "bool next(levin::Split, int64_t loader, std::vector<levin_managed*>&)")                           \
  LEVIN_LOADER_RULE(RULE, (tells_loaders_apart<T, name_rewind, Takes<const Fill&>, Takes<Split, int64_t, int64_t>>()), \
                    "void rewind(levin::Split, int64_t loader, int64_t epoch)")                                        \
  LEVIN_LOADER_RULE(RULE, (tells_loaders_apart<T, name_row_name, Takes<Split, int64_t, int64_t>>()),                   \
                    "std::string row_name(levin::Split, int64_t loader, int64_t index)")                               \
  LEVIN_LOADER_RULE(RULE, (tells_loaders_apart<T, name_row_length, Takes<Split, int64_t, int64_t>>()),                 \
                    "int64_t row_length(levin::Split, int64_t loader, int64_t index)")
#define LEVIN_DATA_RULES(RULE)                                                                                      \
  RULE((declares<T, DataNames, name_fields>()),                                                                     \
       "a data module says what a row is: declare std::vector<levin::Field> fields()")                              \
  RULE((says_rows<T>()), "a data module says how many rows there are: declare int64_t rows(levin::Split)")          \
  RULE((hands_rows_over<T>()), "a data module has get, fill, batch, resident or next")                              \
  RULE((!declares<T, DataNames, name_collate>() || gets_samples<T>()),                                              \
       "'collate' is for the rows of a get that takes (levin::Split, int64_t index, levin::Sample&): declare that") \
  RULE((!declares<T, DataNames, name_batch>() || !gets_samples<T>()),                                               \
       "'batch' makes batches itself, so nobody calls a 'get' that takes levin::Sample&: declare one of the two")   \
  RULE((!declares<T, DataNames, name_byte_scale>() || declares<T, DataNames, name_fill>()),                         \
       "'byte_scale' says that 'fill' also writes bytes: declare void fill(const levin::Fill&, const levin_view*)") \
  RULE((is_of_stage<T, name_setup>()), "'setup' of a data module takes (levin::Stage) or nothing")                  \
  RULE((is_of_stage<T, name_teardown>()), "'teardown' of a data module takes (levin::Stage) or nothing")            \
  LEVIN_LOADER_RULES(RULE)                                                                                          \
  LEVIN_PLAIN_STATE_RULES(RULE)
template <class T>
constexpr bool data_is_sound() {
#define LEVIN_SOUND_MEMBER(member, ...) LEVIN_MEMBER_RULES(LEVIN_HOLDS, DataNames, member, __VA_ARGS__)
#define LEVIN_SOUND_WRONG(wrong, right) LEVIN_MISSPELT_RULE(LEVIN_HOLDS, MisspeltDataNames, wrong, DataNames, right)
  return hooks_are_sound<T>() LEVIN_DATA_RULES(LEVIN_HOLDS) LEVIN_FOR_EACH_DATA_MEMBER(LEVIN_SOUND_MEMBER)
      LEVIN_FOR_EACH_MISSPELT_DATA_MEMBER(LEVIN_SOUND_WRONG);
#undef LEVIN_SOUND_MEMBER
#undef LEVIN_SOUND_WRONG
}
template <class T>
constexpr void demand_data() {
#define LEVIN_DEMAND_MEMBER(member, ...) LEVIN_MEMBER_RULES(LEVIN_DEMAND, DataNames, member, __VA_ARGS__)
#define LEVIN_DEMAND_WRONG(wrong, right) LEVIN_MISSPELT_RULE(LEVIN_DEMAND, MisspeltDataNames, wrong, DataNames, right)
  demand_hooks<T>();
  LEVIN_DATA_RULES(LEVIN_DEMAND)
  LEVIN_FOR_EACH_DATA_MEMBER(LEVIN_DEMAND_MEMBER)
  LEVIN_FOR_EACH_MISSPELT_DATA_MEMBER(LEVIN_DEMAND_WRONG)
#undef LEVIN_DEMAND_MEMBER
#undef LEVIN_DEMAND_WRONG
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
