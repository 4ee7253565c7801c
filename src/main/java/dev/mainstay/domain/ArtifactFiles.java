package dev.mainstay.domain;

/** The files of this host as artifacts need them; what cannot be read is a refusal. */
public interface ArtifactFiles {
  /** A file as it is now: its whole path, its SHA-256 and its size. */
  record Seen(String path, String hash, long bytes) {}

  /** The name of this host. */
  String host();

  /** Reads the file to its end; its path may be relative to the folder that is worked in. */
  Seen look(String path);

  /** The file, open until it is closed; more than {@code bytesMax} is refused. */
  Held hold(String path, long bytesMax);

  /** Takes a content piece by piece; a piece is overwritten by the next one. */
  @FunctionalInterface
  interface Taker<X extends Exception> {
    void take(byte[] piece, int bytes) throws X;
  }

  /** A content that stays the same one, whoever gets its name meanwhile. It may be large. */
  interface Held extends AutoCloseable {
    /** Its SHA-256 as it was first read. */
    String hash();

    long bytes();

    /**
     * Hands over what has this hash and nothing else: the last piece is held back until the hash of
     * all of them is known, and when that is another one, it is a refusal.
     */
    <X extends Exception> void copyTo(Taker<X> taker) throws X;

    @Override
    void close();
  }
}
