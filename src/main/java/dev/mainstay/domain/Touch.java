package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A task changed a file and left this content; null when it left none. */
public record Touch(String path, TaskId task, @Nullable String hash, Instant at) {}
