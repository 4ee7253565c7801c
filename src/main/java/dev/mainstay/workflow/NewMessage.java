package dev.mainstay.workflow;

import dev.mainstay.domain.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A message for whoever waits for it.
 *
 * @param correlation which of several is meant, in one short line; null for those that name none
 * @param execution the only one that may get it, now or never; null for any
 * @param keep whether it is kept when nobody waits for it yet; else that is refused
 */
public record NewMessage(
    String name,
    @Nullable String correlation,
    @Nullable String execution,
    JsonObject content,
    boolean keep) {}
