#pragma once
/// \file
/// Keeping the libraries of others to one thread.

#include <memory>

namespace sinew {

/// While it lives every parallel loop of the program runs on one thread: for libraries whose results depend
/// on the thread count.
class OneThread {
  public:
    OneThread();
    ~OneThread();
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

  private:
    struct Limit;
    std::unique_ptr<Limit> limit_;
};

}  // namespace sinew
