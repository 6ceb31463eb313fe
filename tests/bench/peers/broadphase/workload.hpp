// SPDX-License-Identifier: Apache-2.0
// Deterministic integer DEM workload generator (see WORKLOADS.md).
#pragma once
#include <cstdint>
#include <string>
#include <vector>
struct Workload {
    std::string name;
    int dim = 0;
    int n = 0;
    double L = 0;
    std::vector<int32_t> R15;                 // radius in 2^-15, == 1 mod 4
    std::vector<std::vector<int32_t>> frames; // positions in 2^-13, [id*dim+k]
    double disp_rms_rel = 0; // measured rms displacement per frame / smallest radius
    double phi = 0;
};
Workload make_workload(const std::string &spec, int frames, bool shuffle);
uint64_t fnv1a(const std::vector<int32_t> &);
