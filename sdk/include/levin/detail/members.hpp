// Checks at compile time which members a component's class declares and whether Levin can call them. A member that
// cannot be called is a compile error with one sentence; otherwise it would silently never be called.
#pragma once
#include <type_traits>
#include <utility>

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// name_X represents the name X. pointer and address are valid only if T has exactly one member of that name, which is
// public and not a template; call is valid only if the member takes these arguments.
#define LEVIN_MEMBER_NAME(member)                                           \
  struct name_##member {                                                    \
    template <class T>                                                      \
    using pointer = decltype(&T::member);                                   \
    template <class T, class... A>                                          \
    using call = decltype(std::declval<T&>().member(std::declval<A>()...)); \
    template <class T>                                                      \
    static constexpr auto address() {                                       \
      return &T::member;                                                    \
    }                                                                       \
  };
// has_X<T> is true if T has exactly one public member X that is not a template.
#define LEVIN_DETECT(member) \
  LEVIN_MEMBER_NAME(member)  \
  template <class T>         \
  struct has_##member : has_pointer<T, name_##member> {};
#define LEVIN_DETECT_MEMBER(member, ...) LEVIN_DETECT(member)
#define LEVIN_INT_MEMBER(member, ...) int member;

template <class T, class Name, class = void>
struct has_pointer : std::false_type {};
template <class T, class Name>
struct has_pointer<T, Name, std::void_t<typename Name::template pointer<T>>> : std::true_type {};

// Returns true if T declares a member of that name, callable or not. Names is a struct with members of all names to
// look up: as a base beside T, a name is ambiguous exactly if T has it too.
template <class T, class Names>
struct Beside : T, Names {};
template <class T, class Names, class Name>
constexpr bool declares() {
  if constexpr (std::is_final_v<T>)
    return has_pointer<T, Name>::value;
  else
    return !has_pointer<Beside<T, Names>, Name>::value;
}

// The argument types of one way to call a member.
template <class... A>
struct Takes {};

template <class T, class Name, class Form, class = void>
struct can_call : std::false_type {};
template <class T, class Name, class... A>
struct can_call<T, Name, Takes<A...>, std::void_t<typename Name::template call<T, A...>>> : std::true_type {};

// The result type of a member of type F for the first of the forms that it takes; void* if it takes none.
template <class T, class F, class... Forms>
struct Result {
  using type = void*;
};
template <class T, class F, class... A, class... Forms>
struct Result<T, F, Takes<A...>, Forms...> {
  static constexpr auto find() {
    if constexpr (!std::is_member_object_pointer_v<F> && std::is_invocable_v<F, T&, A...>)
      return static_cast<std::invoke_result<F, T&, A...>*>(nullptr);
    else if constexpr (!std::is_member_pointer_v<F> && std::is_invocable_v<F, A...>)
      return static_cast<std::invoke_result<F, A...>*>(nullptr);
    else
      return static_cast<Result<T, F, Forms...>*>(nullptr);
  }
  using type = typename std::remove_pointer_t<decltype(find())>::type;
};

// The result types that a member may have.
struct Anything {
  template <class R>
  static constexpr bool takes = !std::is_same_v<R, void*>;
};
struct Nothing {
  template <class R>
  static constexpr bool takes = std::is_void_v<R>;
};
template <class Wanted>
struct Convertible {
  template <class R>
  static constexpr bool takes = !std::is_same_v<R, void*> && std::is_convertible_v<R, Wanted>;
};

enum class Fault { none, hidden, several, signature };

// Returns why Levin cannot call the member of T. A member that T does not declare has no fault.
template <class T, class Names, class Name, class Returns, class... Forms>
constexpr Fault fault_of() {
  if constexpr (!declares<T, Names, Name>()) {
    return Fault::none;
  } else if constexpr (has_pointer<T, Name>::value) {
    using R = typename Result<T, typename Name::template pointer<T>, Forms...>::type;
    return Returns::template takes<R> ? Fault::none : Fault::signature;
  } else {
    return (can_call<T, Name, Forms>::value || ...) ? Fault::several : Fault::hidden;
  }
}

// A rule is a condition and the message for a class that breaks it. Lists of rules take one of these two macros.
#define LEVIN_HOLDS(condition, sentence) &&(condition)
#define LEVIN_DEMAND(condition, sentence) static_assert(condition, sentence);

#define LEVIN_MEMBER_RULES(RULE, Names, member, Returns, declaration, ...)                                        \
  RULE((fault_of<T, Names, name_##member, Returns, __VA_ARGS__>() != Fault::hidden),                              \
       "'" #member "' is private or protected, so Levin cannot call it: make it public, or give it another name") \
  RULE((fault_of<T, Names, name_##member, Returns, __VA_ARGS__>() != Fault::several),                             \
       "'" #member "' is overloaded or a template, so Levin cannot call it: declare it once, as " declaration)    \
  RULE((fault_of<T, Names, name_##member, Returns, __VA_ARGS__>() != Fault::signature),                           \
       "'" #member "' is not what Levin calls by that name: declare it as " declaration)

// Returns true if T has exactly one public member function of that name, which is not a template.
template <class T, class Name>
constexpr bool has_method() {
  if constexpr (has_pointer<T, Name>::value)
    return std::is_member_function_pointer_v<typename Name::template pointer<T>>;
  else
    return false;
}
// The rule for a member that is called only if it is a function.
#define LEVIN_METHOD_RULE(RULE, Names, member, Returns, declaration, ...)                                             \
  RULE((!has_method<T, name_##member>() || fault_of<T, Names, name_##member, Returns, __VA_ARGS__>() == Fault::none), \
       "'" #member "' is not what Levin calls by that name: declare it as " declaration)

// The rule for a wrong name of the member `right`. A class with both names may use the wrong one for something else.
#define LEVIN_MISSPELT_RULE(RULE, Wrong, wrong, Right, right)                       \
  RULE((!declares<T, Wrong, name_##wrong>() || declares<T, Right, name_##right>()), \
       "Levin never calls '" #wrong "': did you mean '" #right "'? Otherwise give it another name")

// The same for the misspelt names of levin/detail/misspelt_words.hpp, which only have a pointer.
#define LEVIN_SLIP_NAME(wrong, right)    \
  struct slip_##wrong {                  \
    template <class T>                   \
    using pointer = decltype(&T::wrong); \
  };
#define LEVIN_SLIP_RULE(RULE, Wrong, wrong, Right, right)                           \
  RULE((!declares<T, Wrong, slip_##wrong>() || declares<T, Right, name_##right>()), \
       "Levin never calls '" #wrong "': did you mean '" #right "'? Otherwise give it another name")
#define LEVIN_AND_POINTER(wrong, right) , decltype(&B::wrong)

// True if T derives publicly from Base.
template <class T, class Base>
constexpr bool is_publicly = std::is_convertible_v<T*, Base*>;
#define LEVIN_DEMAND_PUBLIC(T, Base, name)                                                      \
  static_assert(::levin::detail::is_publicly<T, Base>, "the class derives privately from " name \
                                                       ", so Levin cannot use it: write "       \
                                                       "struct X : " name ", or class X : public " name)

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
