package dev.mainstay.domain;

/** The files of this host as artifacts need them; what cannot be read is a refusal. */
public interface ArtifactFiles {
  /** A file as it is now: its whole path, its SHA-256 and its size. */
  record Seen(String path, String hash, long bytes) {}

  /** The name of this host. */
  String host();

  /** Reads the file to its end; its path may be relative to the folder that is worked in. */
  Seen look(String path);

  /** The file's content; more than {@code bytesMax} is refused. */
  byte[] read(String path, int bytesMax);
}
