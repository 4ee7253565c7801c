package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something a hook saw and nobody has looked at yet: whose tool, for which task, and what its
 * result means for the files. The number is 0 until it is queued.
 */
public record Observation(
    long number, @Nullable TaskId task, Call by, JsonObject meaning, Instant seenAt) {}
