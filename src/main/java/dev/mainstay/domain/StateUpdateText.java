package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the {@code <state_update>{...}</state_update>} blocks in what a model wrote. */
public final class StateUpdateText {
  /** The name of the error when what stands in a block is not JSON. */
  public static final String INVALID_JSON = "invalid_state_update_json";

  public static final int UPDATES_MAX = 100;

  private static final Pattern OPENING = Pattern.compile("(?i)<state_update\\s*>");
  private static final Pattern CLOSING = Pattern.compile("(?i)</state_update\\s*>");
  private static final Pattern FENCE_BEFORE = Pattern.compile("\\s*(?:```+|~~~+)[^\\n{]*\\n?\\s*");
  private static final Pattern FENCE_AFTER = Pattern.compile("(?:`{3,}|~{3,})$");

  private StateUpdateText() {}

  /** What stood in one block, unread, and where: offset from 0, line from 1. */
  public record Update(String json, int offset, int line) {
    /** The refusal of an update that is not JSON. */
    public Refusal malformed(String why) {
      return Refusal.invalid(
          Phrase.of(
              "%s: the update at line %d (character %d) was not taken and nothing changed: %s",
              INVALID_JSON, line, offset + 1, why));
    }
  }

  /** All updates in the order in which they stand; a text without any gives none. */
  public static List<Update> find(String text) {
    List<Update> found = new ArrayList<>();
    Matcher opening = OPENING.matcher(text);
    int from = 0;
    while (opening.find(from)) {
      int begin = afterFence(text, opening.end());
      int end = end(text, begin);
      from = Math.max(end, opening.end());
      if (end < begin) continue; // only mentioned: neither an object nor a closing tag follows
      if (found.size() == UPDATES_MAX) {
        throw Refusal.tooLarge(
            Phrase.of("the text holds more than %d state updates; send fewer", UPDATES_MAX));
      }
      found.add(update(text, begin, end));
    }
    return List.copyOf(found);
  }

  private static Update update(String text, int begin, int end) {
    String raw = text.substring(begin, end).strip();
    String json = FENCE_AFTER.matcher(raw).replaceFirst("").strip();
    int line = 1 + (int) text.substring(0, begin).chars().filter(c -> c == '\n').count();
    return new Update(json, begin, line);
  }

  /** Behind the blanks and the opening of a code fence, if there is one. */
  private static int afterFence(String text, int from) {
    int at = from;
    Matcher fence = FENCE_BEFORE.matcher(text).region(from, text.length());
    if (fence.lookingAt()) at = fence.end();
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    return at;
  }

  /** Where the block's contents end; -1 if this is no block. */
  private static int end(String text, int begin) {
    boolean object = begin < text.length() && text.charAt(begin) == '{';
    // A closing tag within a JSON string closes nothing.
    int objectEnd = object ? objectEnd(text, begin) : -1;
    int searched = objectEnd < 0 ? begin : objectEnd;
    int next = start(OPENING, text, searched);
    int closing = start(CLOSING, text, searched);
    boolean closed = closing >= 0 && (next < 0 || closing < next);
    if (closed) return closing;
    if (objectEnd >= 0) return objectEnd;
    if (!object) return -1;
    return next < 0 ? text.length() : next;
  }

  private static int start(Pattern pattern, String text, int from) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find(from) ? matcher.start() : -1;
  }

  /** Behind the brace that closes the object which begins here; -1 if none does. */
  private static int objectEnd(String text, int begin) {
    int depth = 0;
    boolean quoted = false;
    for (int i = begin; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '\n') return -1; // no JSON string goes over a line: a quote is missing
      if (quoted && c == '\\') i++;
      else if (c == '"') quoted = !quoted;
      else if (!quoted && c == '{') depth++;
      else if (!quoted && c == '}' && --depth == 0) return i + 1;
    }
    return -1;
  }
}
