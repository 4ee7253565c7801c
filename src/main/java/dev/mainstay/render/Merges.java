package dev.mainstay.render;

import java.util.PriorityQueue;

/**
 * Counts the tokens of one piece after the other. A piece begins as its bytes; of all neighbours
 * that together are a token, those of the lowest rank become one, the leftmost first, until no
 * neighbours are a token. For one thread: its arrays serve every piece.
 */
final class Merges {
  /**
   * From here on a queue finds the lowest rank, so that the time for a piece grows little faster
   * than the piece. For the few parts of a word it is faster to look at each of them.
   */
  static final int QUEUED_BYTES_MIN = 256;

  private final Vocabulary vocabulary;

  // A part is known by its number in a short piece, and by where it begins in a long one.
  private int[] ends = {};

  /** The rank that a part has together with the next one. */
  private int[] ranks = {};

  /** Where the part before it begins; of long pieces alone. */
  private int[] befores = {};

  private byte[] text = {};
  private int from;
  private int length;

  Merges(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** How many tokens the bytes from here to there are. */
  int count(byte[] in, int start, int end) {
    if (vocabulary.rank(in, start, end) != Vocabulary.NO_TOKEN) return 1;
    text = in;
    from = start;
    length = end - start;
    if (ranks.length < length) {
      int room = Math.max(length, QUEUED_BYTES_MIN);
      ranks = new int[room];
      ends = new int[room];
    }
    return length < QUEUED_BYTES_MIN ? countShort() : countLong();
  }

  private int countShort() {
    int parts = length;
    for (int i = 0; i < parts; i++) ends[i] = i + 1;
    for (int i = 0; i < parts - 1; i++) ranks[i] = rank(i, i + 2);
    while (true) {
      int lowest = 0;
      for (int i = 1; i < parts - 1; i++) {
        if (ranks[i] < ranks[lowest]) lowest = i;
      }
      if (parts < 2 || ranks[lowest] == Vocabulary.NO_TOKEN) return parts;
      parts--;
      System.arraycopy(ends, lowest + 1, ends, lowest, parts - lowest);
      System.arraycopy(ranks, lowest + 1, ranks, lowest, parts - lowest);
      if (lowest > 0) rankShort(lowest - 1, parts);
      rankShort(lowest, parts);
    }
  }

  private void rankShort(int part, int parts) {
    if (part + 1 < parts) ranks[part] = rank(part == 0 ? 0 : ends[part - 1], ends[part + 1]);
  }

  private int countLong() {
    if (befores.length < length) befores = new int[length];
    // A rank before a place: the lowest rank comes first, and of one rank the leftmost.
    var queue = new PriorityQueue<Long>(length);
    for (int i = 0; i < length; i++) {
      befores[i] = i - 1;
      ends[i] = i + 1;
    }
    for (int i = 0; i < length; i++) rankLong(i, queue);
    int parts = length;
    for (Long next = queue.poll(); next != null; next = queue.poll()) {
      int part = next.intValue();
      // A part that has been merged since has another rank by now, or none.
      if (ranks[part] != (int) (next >> Integer.SIZE)) continue;
      int merged = ends[part];
      ranks[merged] = Vocabulary.NO_TOKEN;
      ends[part] = ends[merged];
      if (ends[part] < length) befores[ends[part]] = part;
      rankLong(part, queue);
      if (part > 0) rankLong(befores[part], queue);
      parts--;
    }
    return parts;
  }

  private void rankLong(int part, PriorityQueue<Long> queue) {
    int next = ends[part];
    ranks[part] = next < length ? rank(part, ends[next]) : Vocabulary.NO_TOKEN;
    if (ranks[part] != Vocabulary.NO_TOKEN) queue.add((long) ranks[part] << Integer.SIZE | part);
  }

  private int rank(int start, int end) {
    return vocabulary.rank(text, from + start, from + end);
  }
}
