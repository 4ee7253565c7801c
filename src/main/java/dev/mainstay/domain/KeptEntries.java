package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/**
 * What became of journal entries that were read before.
 *
 * @param common the newest of them before the first that is gone, as a position of today; null if
 *     all are gone, or the store was restored
 * @param lost how many of them are gone
 */
public record KeptEntries(@Nullable Position common, int lost) {}
