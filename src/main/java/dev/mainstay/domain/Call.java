package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/**
 * One outside request: its actor, the interface it came through, its idempotency key, and the fence
 * of a lease. A key may be left out; then a repeated request is another request.
 *
 * @param worker the name under which the caller holds tasks, if it differs from the actor's: the
 *     sessions of an agent have names of their own. An interface sets it from what it knows of the
 *     caller, never from what a request says.
 */
public record Call(
    Actor actor,
    String source,
    @Nullable String key,
    @Nullable Long fence,
    @Nullable String worker) {
  public static final int KEY_CHARS_MAX = 200;

  public Call {
    source = Text.line("a call's source", source, 32);
    if (key != null) key = Text.line("an idempotency key", key, KEY_CHARS_MAX);
  }

  public static Call by(Actor actor, String source) {
    return new Call(actor, source, null, null, null);
  }

  public Call withSource(String newSource) {
    return new Call(actor, newSource, key, fence, worker);
  }

  public Call withKey(@Nullable String newKey) {
    return new Call(actor, source, newKey, fence, worker);
  }

  public Call withFence(@Nullable Long newFence) {
    return new Call(actor, source, key, newFence, worker);
  }

  /** The same call by the worker of that name. */
  public Call as(@Nullable String newWorker) {
    return new Call(actor, source, key, fence, newWorker);
  }

  /** The same request for another actor, whose changes it brings. */
  public Call onBehalfOf(Actor author, String through) {
    return new Call(author, through, null, fence, holder());
  }

  /** The name under which the caller holds tasks. */
  public String holder() {
    return worker == null ? actor.name() : worker;
  }

  /** Whether the caller is the worker of that name. */
  public boolean isBy(String name) {
    return name.equals(actor.name()) || name.equals(worker);
  }
}
