// SPDX-License-Identifier: BSD-2-Clause
//
// requests [CLIENTS [REQUESTS]]: a bounded request queue between client threads and two workers.
//
// Probes of provider `requests`:
//
//   submit(id, depth)       a client has queued a request; depth is the queue's length
//   full(id)                ... had to wait first, because the queue was full
//   done(id, waited)        a worker has served it; waited is the time in the queue in seconds
//
// The program watches itself through them: a handler keeps the longest wait, the others are
// counted.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <mutex>
#include <queue>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <thread>
#include <vector>

namespace
{
using Clock = std::chrono::steady_clock;

struct Request {
    unsigned id;
    Clock::time_point queued;
};

class Queue
{
  public:
    void submit(unsigned id)
    {
        std::unique_lock<std::mutex> lock(mutex);
        if (waiting.size() >= limit)
            SDT_PROBE(requests, full, id);
        room.wait(lock, [this] { return waiting.size() < limit; });
        waiting.push({id, Clock::now()});
        SDT_PROBE(requests, submit, id, waiting.size());
        ready.notify_one();
    }

    // False once the queue is closed and empty.
    bool take(Request &request)
    {
        std::unique_lock<std::mutex> lock(mutex);
        ready.wait(lock, [this] { return closed || !waiting.empty(); });
        if (waiting.empty())
            return false;
        request = waiting.front();
        waiting.pop();
        room.notify_one();
        return true;
    }

    void close()
    {
        std::lock_guard<std::mutex> lock(mutex);
        closed = true;
        ready.notify_all();
    }

  private:
    static constexpr std::size_t limit = 16;
    std::mutex mutex;
    std::condition_variable ready, room;
    std::queue<Request> waiting;
    bool closed = false;
};

void serve(Queue &queue)
{
    Request request;
    while (queue.take(request)) {
        std::chrono::duration<double> waited = Clock::now() - request.queued;
        SDT_PROBE(requests, done, request.id, waited.count());
    }
}

// Handlers run in the thread that hits the probe, so several of them may run at a time.
struct Longest {
    std::mutex mutex;
    double seconds = 0;
};

void keep_longest(const sdt_event *event, void *data)
{
    auto *longest = static_cast<Longest *>(data);
    std::lock_guard<std::mutex> lock(longest->mutex);
    longest->seconds = std::max(longest->seconds, sdt_arg_double(event, 1));
}

void enable(const char *pattern, sdt_handler *handler, void *data)
{
    int subscription = sdt_enable(pattern, handler, data);
    if (subscription < 0) {
        std::cerr << "requests: " << pattern << ": " << sdt_strerror(subscription) << '\n';
        std::exit(1);
    }
}
} // namespace

int main(int argc, char **argv)
{
    unsigned clients = argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 4;
    unsigned requests = argc > 2 ? std::strtoul(argv[2], nullptr, 0) : 1000;
    Longest longest;
    enable("requests", SDT_COUNT, nullptr);
    enable("requests:done", keep_longest, &longest);

    Queue queue;
    std::vector<std::thread> workers, submitters;
    for (unsigned i = 0; i < 2; i++)
        workers.emplace_back(serve, std::ref(queue));
    for (unsigned i = 0; i < clients; i++)
        submitters.emplace_back([&, i] {
            for (unsigned id = i; id < requests; id += clients)
                queue.submit(id);
        });
    for (auto &thread : submitters)
        thread.join();
    queue.close();
    for (auto &thread : workers)
        thread.join();

    std::cout << "requests:submit " << sdt_hits("requests:submit") << '\n'
              << "requests:done " << sdt_hits("requests:done") << '\n'
              << "had to wait for room " << sdt_hits("requests:full") << '\n'
              << "longest wait in the queue " << longest.seconds * 1e6 << " us\n";
}
