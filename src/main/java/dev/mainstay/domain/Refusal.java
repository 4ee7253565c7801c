package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/**
 * A "no" that the caller can act on: one sentence that says what is wrong and what to do, and a
 * code that every door translates. Nothing was changed when a use case ends in a refusal.
 */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of "no". Doors switch over this without a default, so none can be forgotten. */
  public enum Code {
    INVALID,
    NOT_FOUND,
    CONFLICT,
    LEASE_LOST,
    NOT_HOLDER,
    TOO_LARGE,
    STORE_UNAVAILABLE,
    STORE_FULL,
    READ_ONLY
  }

  private final Code code;
  private final boolean reserved;

  public Refusal(Code code, String sentence, @Nullable Throwable cause) {
    this(code, sentence, cause, false);
  }

  private Refusal(Code code, String sentence, @Nullable Throwable cause, boolean reserved) {
    super(sentence, cause);
    this.code = code;
    this.reserved = reserved;
  }

  /** The same of something that is for persons alone: doors note who asked for it. */
  public Refusal reserved() {
    return new Refusal(code, sentence(), getCause(), true);
  }

  public boolean isReserved() {
    return reserved;
  }

  public Code code() {
    return code;
  }

  /** Whether the task is in other hands: the lease was lost, or never the caller's. */
  public boolean isAboutHolder() {
    return code == Code.LEASE_LOST || code == Code.NOT_HOLDER;
  }

  /** The sentence for people; never null, unlike the message of other exceptions. */
  public String sentence() {
    String message = getMessage();
    return message == null ? code.name() : message;
  }

  public static Refusal invalid(String sentence) {
    return new Refusal(Code.INVALID, sentence, null);
  }

  public static Refusal notFound(String sentence) {
    return new Refusal(Code.NOT_FOUND, sentence, null);
  }

  public static Refusal conflict(String sentence) {
    return new Refusal(Code.CONFLICT, sentence, null);
  }

  public static Refusal leaseLost(String sentence) {
    return new Refusal(Code.LEASE_LOST, sentence, null);
  }

  /** The task is held by another worker, and the caller was never its holder or helper. */
  public static Refusal notHolder(String sentence) {
    return new Refusal(Code.NOT_HOLDER, sentence, null);
  }

  public static Refusal tooLarge(String sentence) {
    return new Refusal(Code.TOO_LARGE, sentence, null);
  }

  public static Refusal unavailable(String sentence, @Nullable Throwable cause) {
    return new Refusal(Code.STORE_UNAVAILABLE, sentence, cause);
  }

  public static Refusal full(String sentence, @Nullable Throwable cause) {
    return new Refusal(Code.STORE_FULL, sentence, cause);
  }

  public static Refusal readOnly(String sentence, @Nullable Throwable cause) {
    return new Refusal(Code.READ_ONLY, sentence, cause);
  }
}
