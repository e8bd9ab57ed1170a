#define NOTE "abi=1.0\0id=org.levin.test\0version=1.0.0\0torch=none\0"
#include "minimal.h"
