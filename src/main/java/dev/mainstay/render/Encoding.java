package dev.mainstay.render;

import java.nio.charset.StandardCharsets;

/** Parts a text into pieces and merges the bytes of each into tokens; for any number of threads. */
record Encoding(Vocabulary vocabulary, Pieces pieces) {
  /** How many tokens a text is, in time that grows little faster than the text. */
  int count(String wellFormed) {
    byte[] text = wellFormed.getBytes(StandardCharsets.UTF_8);
    var merges = new Merges(vocabulary);
    int tokens = 0;
    for (int from = 0; from < text.length; ) {
      int end = pieces.end(text, from);
      tokens += merges.count(text, from, end);
      from = end;
    }
    return tokens;
  }
}
