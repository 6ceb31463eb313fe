// SPDX-License-Identifier: Apache-2.0
// Client-side persistent pair list for broad phases that report only new pairs.
#pragma once
#include <cstdint>
#include <vector>
struct PairSet {
    std::vector<uint64_t> tab;
    std::vector<uint64_t> list;
    uint64_t mask = 0;
    static uint64_t h(uint64_t k)
    {
        k ^= k >> 31;
        k *= 0x9E3779B97F4A7C15ull;
        return k ^ (k >> 29);
    }
    void grow()
    {
        size_t c = tab.empty() ? 1024 : tab.size() * 2;
        tab.assign(c, 0);
        mask = c - 1;
        for (uint64_t k : list)
            put(k);
    }
    void put(uint64_t k)
    {
        uint64_t i = h(k) & mask;
        while (tab[i])
            i = (i + 1) & mask;
        tab[i] = k + 1;
    }
    void add(uint32_t a, uint32_t b)
    {
        if (a > b) {
            uint32_t t = a;
            a = b;
            b = t;
        }
        if ((list.size() + 1) * 2 > tab.size())
            grow();
        uint64_t k = ((uint64_t)a << 32) | b;
        uint64_t i = h(k) & mask;
        while (tab[i]) {
            if (tab[i] == k + 1)
                return;
            i = (i + 1) & mask;
        }
        tab[i] = k + 1;
        list.push_back(k);
    }
    void erase_key(uint64_t k)
    {
        uint64_t i = h(k) & mask;
        while (tab[i] != k + 1)
            i = (i + 1) & mask;
        for (uint64_t j = i;;) {
            j = (j + 1) & mask;
            if (!tab[j])
                break;
            uint64_t w = h(tab[j] - 1) & mask;
            if (((j - w) & mask) >= ((j - i) & mask)) {
                tab[i] = tab[j];
                i = j;
            }
        }
        tab[i] = 0;
    }
};
