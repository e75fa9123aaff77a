#include "sinew/io/asset.h"
