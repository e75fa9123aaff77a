// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Cholesky factors of symmetric matrices of small square blocks: which blocks fill in is found once for a
/// pattern, so that a factor is a plain loop over products of fixed size.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>

namespace sinew::fit {

/// Where the blocks of the factor are. Rows are eliminated in the order of least degree.
class BlockPattern {
  public:
    using Pair = std::pair<std::uint32_t, std::uint32_t>;

    BlockPattern() = default;
    /// `pairs` are the positions (row, column) that are not zero, each once, in either half; the diagonal may
    /// be left out.
    BlockPattern(std::size_t size, std::span<const Pair> pairs);

    std::size_t size() const { return order_.size(); }
    std::size_t block_count() const { return blocks_; }
    /// Row of the matrix that is eliminated as the k-th.
    std::uint32_t row(std::size_t k) const { return order_[k]; }
    /// A block below the diagonal in one column: its row, and where it is kept.
    struct Entry {
        std::uint32_t row = 0;  ///< by elimination
        std::uint32_t block = 0;
    };
    std::uint32_t diagonal(std::size_t k) const { return static_cast<std::uint32_t>(k); }
    std::span<const Entry> column(std::size_t k) const { return columns_[k]; }
    /// Where the block of a pair is kept, and whether it is kept the other way round.
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
            const Eigen::LLT<Block> llt(diagonal);
            if (llt.info() != Eigen::Success) return false;
            diagonal = llt.matrixL();
            const auto column = pattern_.column(k);
            for (const BlockPattern::Entry& e : column)
                diagonal.template triangularView<Eigen::Lower>()
                    .transpose()
                    .template solveInPlace<Eigen::OnTheRight>(blocks_[e.block]);
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
            blocks_[pattern_.diagonal(k)].template triangularView<Eigen::Lower>().solveInPlace(y[k]);
            for (const BlockPattern::Entry& e : pattern_.column(k)) y[e.row] -= blocks_[e.block] * y[k];
        }
        for (std::size_t k = y.size(); k-- > 0;) {
            for (const BlockPattern::Entry& e : pattern_.column(k))
                y[k] -= blocks_[e.block].transpose() * y[e.row];
            blocks_[pattern_.diagonal(k)].template triangularView<Eigen::Lower>().transpose().solveInPlace(
                y[k]);
        }
        for (std::size_t k = 0; k < y.size(); ++k) x.segment<N>(N * Eigen::Index(pattern_.row(k))) = y[k];
    }

  private:
    const BlockPattern& pattern_;
    std::vector<Block> blocks_;
};

}  // namespace sinew::fit
