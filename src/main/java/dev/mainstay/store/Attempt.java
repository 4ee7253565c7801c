package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One write on its way to disk, perhaps run several times. Where a commit's answer can be lost on
 * the way, every write has a key: the caller's, or one of its own, which tells whether an earlier
 * turn was kept after all.
 */
final class Attempt<T> {
  private final Once<T> once;
  private final Work<T> work;
  private final String key;
  private final StoreSettings settings;
  private @Nullable T remembered;

  Attempt(Once<T> once, Work<T> work, StoreSettings settings) {
    this.once = once;
    this.work = work;
    this.settings = settings;
    this.key = once.key() == null ? "auto:" + UUID.randomUUID() : once.key();
  }

  private boolean isKeyed() {
    return once.key() != null;
  }

  /** Runs the use case inside this transaction unless an earlier transaction has done so. */
  T run(Tx tx) {
    boolean certain = once.repeatable() || !tx.dialect().losesAnswers();
    if (!isKeyed() && certain) return work.run(tx);
    var life = isKeyed() ? settings.keyLife() : settings.ownKeyLife();
    var earlier = tx.keys().claim(key, once.fingerprint(), tx.now().plus(life));
    if (earlier.isPresent()) {
      // Its first turn may have been kept without anybody hearing of it.
      Changes.ALL.forEach(tx::brings);
      return answerOf(earlier.get());
    }
    T answer = work.run(tx);
    if (tx.isUnsettled()) forgetKey(tx);
    else if (isKeyed()) tx.keys().answer(key, once.write().apply(answer));
    else remembered = answer;
    return answer;
  }

  /** Nothing was answered, so nothing may be found under the key. */
  private void forgetKey(Tx tx) {
    tx.sql("DELETE FROM idempotency_keys WHERE key = :key").bind("key", key).update();
  }

  /** What an earlier transaction answered under the same key. */
  static <T> Optional<T> answered(Tx tx, Once<T> once) {
    String key = once.key();
    return key == null ? Optional.empty() : tx.keys().find(key).map(e -> answer(key, once, e));
  }

  private T answerOf(KeyTable.Stored earlier) {
    if (!isKeyed()) {
      T answer = remembered;
      if (answer == null) throw new IllegalStateException("the key " + key + " is not new");
      return answer;
    }
    return answer(key, once, earlier);
  }

  private static <T> T answer(String key, Once<T> once, KeyTable.Stored earlier) {
    if (!earlier.fingerprint().equals(once.fingerprint())) {
      throw Refusal.conflict(
          Phrase.of(
              "the key \"%s\" was used for another request; take a new key for a new request",
              key));
    }
    return once.read().apply(earlier.answer());
  }

  /** What the caller may repeat the request with when its outcome is unknown. */
  Refusal unknown(String where, Throwable cause) {
    String advice =
        isKeyed()
            ? "repeat it with the same key to learn the outcome"
            : "look whether it happened before you repeat it";
    return Refusal.unavailable(
        Phrase.of(
            "the answer of %s was lost and whether the change was kept is unknown; %s",
            where, advice),
        cause);
  }
}
