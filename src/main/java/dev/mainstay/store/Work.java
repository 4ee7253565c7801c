package dev.mainstay.store;

/** What a use case does inside its transaction. It may be run again, so it changes nothing else. */
@FunctionalInterface
public interface Work<T> {
  T run(Tx tx);
}
