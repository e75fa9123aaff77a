// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/weight_step.h"

#include <map>
#include <utility>

#include "sinew/base/parallel.h"
#include "sinew/fit/decomposition/products.h"
#include "sinew/fit/decomposition/simplex.h"

namespace sinew::fit {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

constexpr std::size_t block_size = 64;
constexpr Index products = 10;  ///< of two coordinates of a homogeneous point

/// Row (j, l) with l <= j gives a_j . a_l as a linear form of the ten products of a rest vertex: the frames
/// are summed once for all vertices.
MatrixXd pair_forms(const MatrixXd& squares) {
    const Index bones = squares.cols() / 4;
    MatrixXd forms(bones * (bones + 1) / 2, products);
    for (Index j = 0, row = 0; j < bones; ++j) {
        for (Index l = 0; l <= j; ++l, ++row) {
            const auto p = squares.block<4, 4>(4 * j, 4 * l);
            for (Index a = 0, column = 0; a < 4; ++a) {
                for (Index b = a; b < 4; ++b, ++column)
                    forms(row, column) = a == b ? p(a, a) : p(a, b) + p(b, a);
            }
        }
    }
    return forms;
}

/// Data of a block of vertices, and the memory in which it is computed.
class BlockGram {
  public:
    BlockGram(const Eigen::Matrix4Xd& rest, const MatrixXd& forms, Index first, MatrixXd toward_goal,
              Eigen::RowVectorXd goal_norms)
        : first_(first),
          bones_(toward_goal.rows() / 4),
          rest_(rest),
          goal_norms_(std::move(goal_norms)),
          toward_goal_(std::move(toward_goal)) {
        MatrixXd squares(products, toward_goal_.cols());
        for (Index v = 0; v < squares.cols(); ++v) {
            const math::Vec4d u = rest_.col(first + v);
            for (Index a = 0, row = 0; a < 4; ++a) {
                for (Index b = a; b < 4; ++b, ++row) squares(row, v) = u(a) * u(b);
            }
        }
        pairs_.noalias() = forms * squares;
    }
    /// G of vertex first + v.
    void assemble(Index v, MatrixXd& gram) const {
        gram.resize(bones_, bones_);
        Eigen::VectorXd along(bones_);
        for (Index j = 0; j < bones_; ++j) {
            along(j) = rest_.col(first_ + v).dot(toward_goal_.block<4, 1>(4 * j, v)) - goal_norms_(v) / 2;
        }
        const double* pair = pairs_.col(v).data();
        for (Index j = 0; j < bones_; ++j) {
            for (Index l = 0; l <= j; ++l) {
                gram(j, l) = *pair++ - along(j) - along(l);
                gram(l, j) = gram(j, l);
            }
        }
    }

  private:
    Index first_, bones_;
    const Eigen::Matrix4Xd& rest_;
    Eigen::RowVectorXd goal_norms_;
    MatrixXd toward_goal_, pairs_;
};

Support start_of(std::span<const BoneWeight> weights) {
    Support support;
    for (const BoneWeight& w : weights) {
        support.bones[static_cast<std::size_t>(support.count)] = static_cast<int>(w.bone);
        support.weights[static_cast<std::size_t>(support.count++)] = w.weight;
    }
    return support;
}

/// |sum w (a - g)|^2 + pull |w - prior|^2 is again w^T G w for weights of sum 1.
void add_prior(std::span<const BoneWeight> prior, double pull, MatrixXd& gram) {
    double square = 0;
    Eigen::VectorXd p = Eigen::VectorXd::Zero(gram.rows());
    for (const BoneWeight& w : prior) {
        p(w.bone) = w.weight;
        square += w.weight * w.weight;
    }
    for (Index j = 0; j < gram.rows(); ++j) {
        for (Index l = 0; l < gram.rows(); ++l)
            gram(j, l) += pull * ((j == l ? 1.0 : 0.0) - p(j) - p(l) + square);
    }
}

double error_at(const MatrixXd& gram, std::span<const BoneWeight> weights) {
    double sum = 0;
    for (const BoneWeight& a : weights) {
        for (const BoneWeight& b : weights) sum += a.weight * b.weight * gram(a.bone, b.bone);
    }
    return std::max(0.0, sum);
}

void store(const Support& support, std::size_t vertex, BlendWeights& weights) {
    std::array<BoneWeight, max_influences> list;
    const auto count = static_cast<std::size_t>(support.count);
    for (std::size_t a = 0; a < count; ++a)
        list[a] = {static_cast<std::uint32_t>(support.bones[a]), support.weights[a]};
    std::sort(list.begin(), list.begin() + count,
              [](const BoneWeight& a, const BoneWeight& b) { return a.bone < b.bone; });
    weights.set(vertex, {list.data(), count});
}

double solve_vertex(const WeightStepOptions& options, std::size_t vertex, MatrixXd& gram,
                    BlendWeights& weights) {
    const bool locked = !options.locks.empty() && options.locks[vertex] >= 1;
    if (locked) return error_at(gram, weights.of(vertex));
    if (options.prior != nullptr && options.pull > 0) {
        const MatrixXd plain = gram;
        add_prior(options.prior->of(vertex), options.pull, gram);
        Support support = weights.of(vertex).empty() ? best_single(gram) : start_of(weights.of(vertex));
        improve_support(gram, options.influences, support, options.exchanges);
        store(support, vertex, weights);
        return error_at(plain, weights.of(vertex));
    }
    Support support = weights.of(vertex).empty() ? best_single(gram) : start_of(weights.of(vertex));
    improve_support(gram, options.influences, support, options.exchanges);
    store(support, vertex, weights);
    return support.error;
}

/// Error of a vertex that may not use the bone at `slot` of its support.
double error_without(const MatrixXd& gram, const Support& support, int slot) {
    const int bone = support.bones[static_cast<std::size_t>(slot)];
    double best = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < gram.rows(); ++j) {
        if (j != bone) best = std::min(best, gram(j, j));
    }
    Support others;
    double sum = 0;
    for (std::size_t a = 0; a < static_cast<std::size_t>(support.count); ++a) {
        if (support.bones[a] == bone) continue;
        others.bones[static_cast<std::size_t>(others.count)] = support.bones[a];
        others.weights[static_cast<std::size_t>(others.count++)] = support.weights[a];
        sum += support.weights[a];
    }
    if (sum <= 1e-9) return best;
    for (double& w : others.weights) w /= sum;
    solve_on_simplex(gram, others);
    return std::min(best, others.error);
}

/// Sums over the frames for a block of vertices: transformations times goals, and squares of the goals.
void goal_sums(const Target& target, const PaddedRows& motions, Index first, Index count,
               MatrixXd& toward_goal, Eigen::RowVectorXd& goal_norms) {
    MatrixXd goals;
    gather(target, first, count, goals);
    goal_norms = goals.colwise().squaredNorm();
    motions.transposed_times(goals, toward_goal);
}

/// Calls `visit(vertex, gram)` for all vertices, in parallel. `sums(first, count, toward_goal, goal_norms)`
/// gives those of a block.
template <class Sums, class Visit>
void for_each_gram(const Eigen::Matrix4Xd& rest, const MatrixXd& moments, const Sums& sums,
                   const Visit& visit) {
    const MatrixXd forms = pair_forms(moments);
    parallel_blocks(
        static_cast<std::size_t>(rest.cols()), block_size, [&](std::size_t begin, std::size_t end) {
            MatrixXd toward_goal, gram;
            Eigen::RowVectorXd goal_norms;
            const auto first = static_cast<Index>(begin);
            sums(first, static_cast<Index>(end - begin), toward_goal, goal_norms);
            const BlockGram block(rest, forms, first, std::move(toward_goal), std::move(goal_norms));
            for (std::size_t v = begin; v < end; ++v) {
                block.assemble(static_cast<Index>(v - begin), gram);
                visit(v, gram);
            }
        });
}

template <class Visit>
void for_each_gram(const Target& target, const Motions& motions, const Visit& visit) {
    const PaddedRows rows(motions);
    const auto sums = [&](Index first, Index count, MatrixXd& toward_goal, Eigen::RowVectorXd& goal_norms) {
        goal_sums(target, rows, first, count, toward_goal, goal_norms);
    };
    for_each_gram(target.rest, motions.transpose() * motions, sums, visit);
}

}  // namespace

std::vector<double> weight_step(const Target& target, const Motions& motions,
                                const WeightStepOptions& options, BlendWeights& weights) {
    std::vector<double> errors(weights.vertex_count());
    for_each_gram(target, motions, [&](std::size_t v, MatrixXd& gram) {
        errors[v] = solve_vertex(options, v, gram, weights);
    });
    return errors;
}

WeightSums weight_sums(const Target& target, const Motions& motions) {
    WeightSums sums;
    sums.frames = static_cast<std::size_t>(target.frames());
    sums.moments = motions.transpose() * motions;
    sums.cross.resize(motions.cols(), target.vertices());
    sums.squares.resize(target.vertices());
    const PaddedRows rows(motions);
    parallel_blocks(static_cast<std::size_t>(target.vertices()), block_size,
                    [&](std::size_t begin, std::size_t end) {
                        const auto first = static_cast<Index>(begin), count = static_cast<Index>(end - begin);
                        MatrixXd toward_goal;
                        Eigen::RowVectorXd goal_norms;
                        goal_sums(target, rows, first, count, toward_goal, goal_norms);
                        sums.cross.middleCols(first, count) = toward_goal;
                        sums.squares.segment(first, count) = goal_norms;
                    });
    return sums;
}

void weight_step(const WeightSums& sums, const Eigen::Matrix4Xd& rest, const WeightStepOptions& options,
                 BlendWeights& weights) {
    const auto block = [&](Index first, Index count, MatrixXd& toward_goal, Eigen::RowVectorXd& goal_norms) {
        toward_goal = sums.cross.middleCols(first, count);
        goal_norms = sums.squares.segment(first, count);
    };
    for_each_gram(rest, sums.moments, block,
                  [&](std::size_t v, MatrixXd& gram) { solve_vertex(options, v, gram, weights); });
}

BlendWeights neighbor_mean(const geometry::Rows& neighbors, const BlendWeights& weights) {
    std::vector<std::map<std::uint32_t, double>> sums(weights.vertex_count());
    std::size_t limit = 1;
    for (std::size_t v = 0; v < sums.size(); ++v) {
        const double share = 1.0 / static_cast<double>(neighbors[v].size() + 1);
        for (const BoneWeight& w : weights.of(v)) sums[v][w.bone] += share * w.weight;
        for (const std::uint32_t other : neighbors[v]) {
            for (const BoneWeight& w : weights.of(other)) sums[v][w.bone] += share * w.weight;
        }
        limit = std::max(limit, sums[v].size());
    }
    BlendWeights mean(sums.size(), limit);
    std::vector<BoneWeight> list;
    for (std::size_t v = 0; v < sums.size(); ++v) {
        list.clear();
        for (const auto& [bone, weight] : sums[v]) list.push_back({bone, weight});
        mean.set(v, list);
    }
    return mean;
}

std::vector<double> removal_costs(const Target& target, const Motions& motions, const BlendWeights& weights) {
    std::vector<double> costs(weights.vertex_count() * weights.limit(), 0.0);
    for_each_gram(target, motions, [&](std::size_t v, const MatrixXd& gram) {
        const Support support = start_of(weights.of(v));
        const double now = error_at(gram, weights.of(v));
        for (int a = 0; a < support.count; ++a) {
            costs[v * weights.limit() + static_cast<std::size_t>(a)] =
                std::max(0.0, error_without(gram, support, a) - now);
        }
    });
    std::vector<double> sums(static_cast<std::size_t>(motions.cols() / 4), 0.0);
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
        const auto list = weights.of(v);
        for (std::size_t a = 0; a < list.size(); ++a) sums[list[a].bone] += costs[v * weights.limit() + a];
    }
    return sums;
}

}  // namespace sinew::fit
