package dev.mainstay.directory;

import org.jspecify.annotations.Nullable;

/**
 * An item that file and store changed differently since they last agreed; null where a side does
 * not have it.
 */
public record Clash(
    String key, @Nullable Object base, @Nullable Object file, @Nullable Object store) {}
