#include "sinew/base/parallel.h"

#include <tbb/global_control.h>

namespace sinew {

struct OneThread::Limit {
    tbb::global_control control{tbb::global_control::max_allowed_parallelism, 1};
};

OneThread::OneThread() : limit_(std::make_unique<Limit>()) {}
OneThread::~OneThread() = default;

}  // namespace sinew
