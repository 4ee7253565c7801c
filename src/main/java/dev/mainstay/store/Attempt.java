package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.Optional;

/**
 * One write on its way to disk, perhaps run several times. The caller's key, if it has one, tells
 * whether an earlier turn, or an earlier request, was kept already.
 */
final class Attempt<T> {
  private final Once<T> once;
  private final Work<T> work;
  private final StoreSettings settings;

  Attempt(Once<T> once, Work<T> work, StoreSettings settings) {
    this.once = once;
    this.work = work;
    this.settings = settings;
  }

  /** Whether it may simply be run again when nobody knows whether it was kept. */
  boolean isRepeatable() {
    return once.repeatable() || once.key() != null;
  }

  /** Runs the use case inside this transaction unless an earlier transaction has done so. */
  T run(Tx tx) {
    String key = once.key();
    if (key == null) return done(tx);
    var earlier = tx.keys().claim(key, once.fingerprint(), tx.now().plus(settings.keyLife()));
    if (earlier.isPresent()) {
      // Its first turn may have been kept without anybody hearing of it.
      Changes.ALL.forEach(tx::brings);
      tx.dialect().awaitReplicas(tx);
      return answer(key, once, earlier.get());
    }
    T answer = done(tx);
    if (tx.isUnsettled()) tx.keys().forget(key);
    else tx.keys().answer(key, once.write().apply(answer));
    return answer;
  }

  /**
   * The same, in a transaction whose commit waits until that answer cannot be lost any more. On
   * PostgreSQL an answer can be seen before the standbys have it, after a crash for one.
   */
  static <T> Optional<T> answeredForGood(Tx tx, Once<T> once) {
    Optional<T> answer = answered(tx, once);
    if (answer.isPresent()) tx.dialect().awaitReplicas(tx);
    return answer;
  }

  private T done(Tx tx) {
    T answer = work.run(tx);
    if (!tx.isInCompany()) tx.tellFollower();
    return answer;
  }

  /** What an earlier transaction answered under the same key. */
  static <T> Optional<T> answered(Tx tx, Once<T> once) {
    String key = once.key();
    return key == null ? Optional.empty() : tx.keys().find(key).map(e -> answer(key, once, e));
  }

  private static <T> T answer(String key, Once<T> once, KeyTable.Stored earlier) {
    if (!earlier.fingerprint().equals(once.fingerprint())) {
      throw Refusal.conflict(
          Phrase.of(
              "the key \"%s\" was used for another request; take a new key for a new request",
              key.substring(key.indexOf('\n') + 1)));
    }
    return once.read().apply(earlier.answer());
  }

  /** What the caller may repeat the request with when its outcome is unknown. */
  Refusal unknown(String where, Throwable cause) {
    String advice =
        once.key() != null
            ? "repeat it with the same key to learn the outcome"
            : "look whether it happened before you repeat it";
    return Refusal.unavailable(
        Phrase.of(
            "the answer of %s was lost and whether the change was kept is unknown; %s",
            where, advice),
        cause);
  }
}
