package dev.mainstay.context;

/**
 * The parts of a conversation, in the order they are sent. What is stable comes first and is the
 * same bytes from turn to turn; what changes every turn comes last.
 */
public enum Partition {
  SYSTEM(true, false),
  KNOWLEDGE(true, false),
  HISTORY(false, true),
  WORKING(false, false),
  STATE(false, false);

  private final boolean stable;
  private final boolean compressible;

  Partition(boolean stable, boolean compressible) {
    this.stable = stable;
    this.compressible = compressible;
  }

  public boolean isStable() {
    return stable;
  }

  public boolean isCompressible() {
    return compressible;
  }
}
