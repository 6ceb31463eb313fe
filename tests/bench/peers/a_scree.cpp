// SPDX-License-Identifier: Apache-2.0
// GCD plugins as algorithms of the broad-phase peer harness. SCREE_GCD="NAME=FILE.so[,KEY=VALUE]... .." says
// which; each appears as scree_NAME. Timed is what the others are timed for: boxes from positions and radii,
// the update, the search, a call per pair. Nothing is filtered: a plugin that commits more than the pairs
// shows it by its fingerprint.
#include "bp.hpp"

#include <cstdlib>
#include <string>

#include "gcd_peer.h"

namespace {

struct Choice {
    std::string name, spec;
};

std::vector<Choice> &choices()
{
    static std::vector<Choice> all;
    return all;
}

void hand_on(void *ctx, uint64_t n, const uint32_t *ab)
{
    Sink *sink = static_cast<Sink *>(ctx);
    for (uint64_t k = 0; k < n; k++)
        sink_pair(sink, ab[2 * k], ab[2 * k + 1]);
}

struct Plugin : Algo {
    gcd_peer *peer;

    Plugin(const Scene &s, const Choice &choice)
        : peer(gcd_peer_open(choice.spec.c_str(), static_cast<uint32_t>(s.n),
                             static_cast<uint32_t>(s.dim)))
    {
    }
    Plugin(const Plugin &) = delete;
    Plugin &operator=(const Plugin &) = delete;
    ~Plugin() override
    {
        gcd_peer_close(peer);
    }
    void step(const Scene &s, Sink &sink) override
    {
        const double *const x[3] = {s.x.data(), s.y.data(), s.z.data()};
        cand += gcd_peer_step(peer, x, s.r.data(), hand_on, &sink);
    }
};

constexpr size_t most = 48;

/** The harness takes functions without state: one for each choice. */
template <size_t K> Algo *make(const Scene &s)
{
    return new Plugin(s, choices()[K]);
}

template <size_t K = 0> void list(std::vector<Factory> &to)
{
    if constexpr (K < most) {
        to.push_back(make<K>);
        list<K + 1>(to);
    }
}

/** Registers them before main begins. */
const struct All {
    All()
    {
        const char *text = getenv("SCREE_GCD");
        std::string rest = text ? text : "";
        std::vector<Factory> factories;
        list(factories);
        for (size_t at = 0; at < rest.size() && choices().size() < most;) {
            size_t end = rest.find(' ', at), equals = rest.find('=', at);
            end = end == std::string::npos ? rest.size() : end;
            if (equals < end)
                choices().push_back({"scree_" + rest.substr(at, equals - at),
                                     rest.substr(equals + 1, end - equals - 1)});
            at = end + 1;
        }
        for (size_t k = 0; k < choices().size(); k++)
            registry().push_back({choices()[k].name.c_str(), 3, 1L << 30, factories[k]});
    }
} all;

} // namespace
