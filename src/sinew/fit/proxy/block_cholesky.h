// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Cholesky factorisation of symmetric matrices of small square blocks. The fill-in is computed once per
/// pattern, so that factoring is a plain loop over products of fixed size.

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/Core>

namespace sinew::fit {

/// Positions of the blocks of the factor. Rows are eliminated in minimum-degree order.
class BlockPattern {
  public:
    using Pair = std::pair<std::uint32_t, std::uint32_t>;

    BlockPattern() = default;
    /// `pairs` are the non-zero positions (row, column), each once, in either half; the diagonal may be
    /// omitted.
    BlockPattern(std::size_t size, std::span<const Pair> pairs);

    std::size_t size() const { return order_.size(); }
    std::size_t block_count() const { return blocks_; }
    /// Row of the matrix that is eliminated in step k.
    std::uint32_t row(std::size_t k) const { return order_[k]; }
    /// A block below the diagonal in one column: its row and its storage index.
    struct Entry {
        std::uint32_t row = 0;  ///< in elimination order
        std::uint32_t block = 0;
    };
    std::uint32_t diagonal(std::size_t k) const { return static_cast<std::uint32_t>(k); }
    std::span<const Entry> column(std::size_t k) const { return columns_[k]; }
    /// Storage index of the block of a pair, and whether it is stored transposed.
    struct Slot {
        std::uint32_t block = 0;
        bool transposed = false;
    };
    const std::vector<Slot>& slots() const { return slots_; }
    /// Blocks that columns k update: for entries i >= j of column k the block (row i, row j), in that order.
    std::span<const std::uint32_t> updates(std::size_t k) const { return updates_[k]; }

  private:
    std::vector<std::uint32_t> order_;
    std::size_t blocks_ = 0;
    std::vector<std::vector<Entry>> columns_;
    std::vector<std::vector<std::uint32_t>> updates_;
    std::vector<Slot> slots_;
};

/// L L^T of a matrix with N x N blocks.
template <int N>
class BlockCholesky {
  public:
    using Block = Eigen::Matrix<double, N, N>;

    explicit BlockCholesky(const BlockPattern& pattern)
        : pattern_(pattern), blocks_(pattern.block_count(), Block::Zero()) {}

    /// Sets the block of the pair with this number.
    void set(std::size_t pair, const Block& value) {
        const BlockPattern::Slot slot = pattern_.slots()[pair];
        blocks_[slot.block] = slot.transposed ? Block(value.transpose()) : value;
    }
    /// False when the matrix is not positive.
    bool factor() {
        for (std::size_t k = 0; k < pattern_.size(); ++k) {
            Block& diagonal = blocks_[pattern_.diagonal(k)];
            if (!make_lower_factor(diagonal)) return false;
            const auto column = pattern_.column(k);
            for (const BlockPattern::Entry& e : column) divide_by_transpose(diagonal, blocks_[e.block]);
            const std::uint32_t* target = pattern_.updates(k).data();
            for (std::size_t i = 0; i < column.size(); ++i) {
                for (std::size_t j = 0; j <= i; ++j)
                    blocks_[*target++].noalias() -=
                        blocks_[column[i].block].lazyProduct(blocks_[column[j].block].transpose());
            }
        }
        return true;
    }
    /// Solves for one right-hand side, in place and in the order of the matrix.
    void solve(Eigen::VectorXd& x) const {
        using Part = Eigen::Matrix<double, N, 1>;
        std::vector<Part> y(pattern_.size());
        for (std::size_t k = 0; k < y.size(); ++k) y[k] = x.segment<N>(N * Eigen::Index(pattern_.row(k)));
        for (std::size_t k = 0; k < y.size(); ++k) {
            const Block& l = blocks_[pattern_.diagonal(k)];
            for (int i = 0; i < N; ++i) {
                for (int j = 0; j < i; ++j) y[k][i] -= l(i, j) * y[k][j];
                y[k][i] /= l(i, i);
            }
            for (const BlockPattern::Entry& e : pattern_.column(k)) y[e.row] -= blocks_[e.block] * y[k];
        }
        for (std::size_t k = y.size(); k-- > 0;) {
            for (const BlockPattern::Entry& e : pattern_.column(k))
                y[k] -= blocks_[e.block].transpose() * y[e.row];
            const Block& l = blocks_[pattern_.diagonal(k)];
            for (int i = N; i-- > 0;) {
                for (int j = i + 1; j < N; ++j) y[k][i] -= l(j, i) * y[k][j];
                y[k][i] /= l(i, i);
            }
        }
        for (std::size_t k = 0; k < y.size(); ++k) x.segment<N>(N * Eigen::Index(pattern_.row(k))) = y[k];
    }

  private:
    // Plain loops of fixed length: Eigen's factorisations are designed for large matrices and take seconds
    // each to compile.

    /// L L^T = m, in the lower half. False when m is not positive.
    static bool make_lower_factor(Block& m) {
        for (int j = 0; j < N; ++j) {
            for (int k = 0; k < j; ++k)
                for (int i = j; i < N; ++i) m(i, j) -= m(i, k) * m(j, k);
            if (!(m(j, j) > 0)) return false;
            const double root = std::sqrt(m(j, j));
            m(j, j) = root;
            for (int i = j + 1; i < N; ++i) m(i, j) /= root;
        }
        return true;
    }
    /// m = m L^-T.
    static void divide_by_transpose(const Block& l, Block& m) {
        for (int j = 0; j < N; ++j) {
            for (int k = 0; k < j; ++k) m.col(j) -= l(j, k) * m.col(k);
            m.col(j) /= l(j, j);
        }
    }

    const BlockPattern& pattern_;
    std::vector<Block> blocks_;
};

}  // namespace sinew::fit
