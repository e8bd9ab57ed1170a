/* A correct plugin of another author, whose component has the same id as that of the other plugins. */
#define ID "org.other"
#define NOTE LEVIN_NOTE_ABI "id=org.other\0version=1.0.0\0torch=none\0"
#include "minimal.h"
