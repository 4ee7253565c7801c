package dev.mainstay.context;

/**
 * The parts of a conversation, in the order they are sent. What is stable comes first and is the
 * same bytes from turn to turn; what changes every turn comes last.
 */
public enum Partition {
  SYSTEM(false),
  KNOWLEDGE(false),
  HISTORY(true),
  WORKING(false),
  STATE(false);

  private final boolean compressible;

  Partition(boolean compressible) {
    this.compressible = compressible;
  }

  public boolean isCompressible() {
    return compressible;
  }
}
