/* Plugins with one fault each. The build compiles this file once for each FAULT_name. */
#define COUNT(value, help) \
  { "count", LEVIN_T_INT, 0, value, help, 1, 10, NULL, NULL, NULL }
#if defined FAULT_crashes_in_entry
#include <signal.h>
/* with the default action: a sanitizer's handler would turn the signal into an exit */
#define ENTRY                 \
  {                           \
    (void)host;               \
    signal(SIGSEGV, SIG_DFL); \
    raise(SIGSEGV);           \
    return &plugin;           \
  }
#elif defined FAULT_default_not_json
#define OPTIONS COUNT("one", "")
#elif defined FAULT_duplicate_component
#define SECOND "thing"
#elif defined FAULT_duplicate_option
#define OPTIONS COUNT("1", ""), COUNT("2", "")
#elif defined FAULT_good
/* A correct plugin. */
#elif defined FAULT_hangs_in_entry
#include <unistd.h>
#define ENTRY         \
  {                   \
    (void)host;       \
    for (;;) pause(); \
    return &plugin;   \
  }
#elif defined FAULT_invalid_default
#define OPTIONS COUNT("11", "")
#elif defined FAULT_lacks_on
#include "levin/abi.h"
static levin_status make(const levin_host* host, const levin_create* in, void** self, const levin_object** table) {
  static const levin_callback made = {{sizeof made, 0, NULL, NULL, NULL, NULL}, NULL};
  (void)host, (void)in;
  *self = (void*)host;
  *table = &made.o;
  return LEVIN_OK;
}
#define CREATE make
#elif defined FAULT_missing_symbol
int nobody_has_this_function(void);
#define ENTRY                                           \
  {                                                     \
    (void)host;                                         \
    return nobody_has_this_function() ? &plugin : NULL; \
  }
#elif defined FAULT_newer_minor
#define NOTE "abi=0.99\0id=org.levin.test\0version=1.0.0\0torch=none\0"
#elif defined FAULT_no_component
#define N_COMPONENTS 0
#elif defined FAULT_no_create
#define CREATE NULL
#elif defined FAULT_no_entry
#define NO_ENTRY
#elif defined FAULT_not_utf8
#define OPTIONS COUNT("1", "\xff\xfe")
#elif defined FAULT_older_minor
#define NOTE "abi=0.1\0id=org.levin.test\0version=1.0.0\0torch=none\0"
#elif defined FAULT_other_plugin
/* A correct plugin of another author, whose component has the same id as that of the other plugins. */
#define ID "org.other"
#define NOTE LEVIN_NOTE_ABI "id=org.other\0version=1.0.0\0torch=none\0"
#elif defined FAULT_other_torch
#define NOTE LEVIN_NOTE_ABI "id=org.levin.test\0version=1.0.0\0torch=9.9\0cxx11abi=1\0stdlib=libstdc++\0"
#elif defined FAULT_prints_in_entry
/* Output printed while the plugin is described must not corrupt its description. */
#include <stdio.h>
#define ENTRY                           \
  {                                     \
    (void)host;                         \
    puts("{\"problem\": \"printed\"}"); \
    return &plugin;                     \
  }
#elif defined FAULT_reserved_option
#define KIND LEVIN_KIND_DATA
#define OPTIONS \
  { "batch_size", LEVIN_T_INT, 0, "1", "", 1, 10, NULL, NULL, NULL }
#elif defined FAULT_returns_null
#define ENTRY                                                          \
  {                                                                    \
    host->fail(host, LEVIN_E_STATE, "the moon is in the wrong phase"); \
    (void)plugin;                                                      \
    return NULL;                                                       \
  }
#elif defined FAULT_returns_null_silently
#define ENTRY     \
  {               \
    (void)host;   \
    (void)plugin; \
    return NULL;  \
  }
#elif defined FAULT_small_table
#define TABLE_SIZE 24
#elif defined FAULT_two_components
/* A correct plugin, but its file alone does not determine the component. */
#define SECOND "other"
#elif defined FAULT_unknown_hook
#define HOOKS \
  { UINT64_C(1) << 60, 0 }
#elif defined FAULT_unknown_kind
#define KIND 77u
#elif defined FAULT_wrong_id
#define ID "org.levin.another"
#elif defined FAULT_wrong_major
#define NOTE "abi=1.0\0id=org.levin.test\0version=1.0.0\0torch=none\0"
#elif defined FAULT_wrong_table_major
#define TABLE_MAJOR 7
#endif

#if defined FAULT_no_note /* a shared library that is not a plugin */
int answer(void);
int answer(void) { return 42; }
#else
#include "minimal.h"
#endif
