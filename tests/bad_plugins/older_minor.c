#define NOTE "abi=0.1\0id=org.levin.test\0version=1.0.0\0torch=none\0"
#include "minimal.h"
