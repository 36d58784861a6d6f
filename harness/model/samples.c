#include "harness/model/samples.h"

const char *const phase_names[PHASES] = {"e2e", "run", "cold", "upload", "download"};
