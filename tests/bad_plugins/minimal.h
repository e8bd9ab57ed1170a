/* A plugin with one component that can be described but not created. The including file breaks one part of it. */
#include <stddef.h>

#include "levin/abi.h"

#ifndef ID
#define ID "org.levin.test"
#endif
#ifndef NOTE
#define NOTE LEVIN_NOTE_ABI "id=org.levin.test\0version=1.0.0\0torch=none\0"
#endif
#ifndef KIND
#define KIND LEVIN_KIND_CALLBACK
#endif
#ifndef NAME
#define NAME "thing"
#endif
#ifndef OPTIONS
#define OPTIONS \
  { "count", LEVIN_T_INT, 0, "1", "how many", 1, 10, NULL, NULL, NULL }
#endif
#ifndef HOOKS
#define HOOKS \
  { LEVIN_BIT(LEVIN_HOOK_FIT_START), 0 }
#endif
#ifndef CREATE
#define CREATE create
#endif
#ifndef TABLE_SIZE
#define TABLE_SIZE sizeof(levin_plugin)
#endif
#ifndef TABLE_MAJOR
#define TABLE_MAJOR LEVIN_ABI_MAJOR
#endif

LEVIN_NOTE(NOTE);

static const levin_option options[] = {OPTIONS};
static const char* const aliases[] = {"former_" NAME, NULL};

static levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** table) {
  (void)in, (void)self, (void)table;
  return host->fail(host, LEVIN_E_UNSUPPORTED, "made for tests of loading");
}
extern levin_status (*const create_used)(const levin_host*, const levin_create*, void**, const levin_object**);
levin_status (*const create_used)(const levin_host*, const levin_create*, void**, const levin_object**) = create;

#define COMPONENT(variable, name, summary, former)                           \
  static const levin_component variable = {sizeof(levin_component),          \
                                           KIND,                             \
                                           name,                             \
                                           "1.0.0",                          \
                                           summary,                          \
                                           former,                           \
                                           options,                          \
                                           sizeof options / sizeof *options, \
                                           sizeof *options,                  \
                                           HOOKS,                            \
                                           0,                                \
                                           CREATE,                           \
                                           NULL,                             \
                                           0,                                \
                                           0,                                \
                                           NULL,                             \
                                           NULL,                             \
                                           NULL,                             \
                                           NULL}
COMPONENT(thing, NAME, "A thing", aliases);
#ifdef SECOND
COMPONENT(second, SECOND, "Another thing", NULL);
static const levin_component* const components[] = {&thing, &second};
#else
static const levin_component* const components[] = {&thing};
#endif
#ifndef N_COMPONENTS
#define N_COMPONENTS (sizeof components / sizeof *components)
#endif
static const levin_plugin plugin = {TABLE_SIZE, TABLE_MAJOR, LEVIN_ABI_MINOR, 0,           ID, "1.0.0", "MIT",
                                    "",         NULL,        components,      N_COMPONENTS};

#ifndef ENTRY
#define ENTRY       \
  {                 \
    (void)host;     \
    return &plugin; \
  }
#endif
#ifndef NO_ENTRY
#ifdef __cplusplus
extern "C"
#endif
    LEVIN_EXPORT const levin_plugin*
    levin_plugin_v0(const levin_host* host) ENTRY
#else
LEVIN_EXPORT const levin_plugin* another_name(void) { return &plugin; }
#endif
