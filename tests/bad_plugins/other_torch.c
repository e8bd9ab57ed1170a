#define NOTE LEVIN_NOTE_ABI "id=org.levin.test\0version=1.0.0\0torch=9.9\0cxx11abi=1\0stdlib=libstdc++\0"
#include "minimal.h"
