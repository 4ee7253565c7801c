import java.util.ArrayList;
import java.util.List;

/**
 * What an agent notes in a turn: about 2,000 letters in eight notes. langgraph.mjs says the same.
 */
final class StateText {
  static final int NOTES = 8;
  static final int NOTE_CHARS = 250;
  private static final String[] WORDS = {
    "read",
    "the",
    "file",
    "of",
    "routes",
    "and",
    "found",
    "that",
    "each",
    "handler",
    "opens",
    "its",
    "own",
    "pool",
    "moved",
    "it",
    "into",
    "one",
    "place",
    "tests",
    "pass",
    "again",
    "two",
    "are",
    "slow",
    "because",
    "they",
    "wait",
    "for",
    "clock",
    "next",
    "step",
    "is",
    "to",
    "write",
    "migration",
    "down",
    "before",
    "queue",
    "worker",
    "lease",
    "fence",
    "order",
    "invoice"
  };

  private StateText() {}

  static List<String> notes(int turn) {
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < NOTES; i++) notes.add(note(turn, i));
    return notes;
  }

  private static String note(int turn, int place) {
    long x = 1 + turn * 8L + place;
    StringBuilder text = new StringBuilder("turn " + turn + "." + place + ":");
    while (text.length() < NOTE_CHARS) {
      x = x * 16_807 % 2_147_483_647;
      text.append(' ').append(WORDS[(int) (x % WORDS.length)]);
    }
    return text.substring(0, NOTE_CHARS).strip();
  }

  static String all(int turns) {
    StringBuilder text = new StringBuilder();
    for (int turn = 0; turn < turns; turn++) {
      for (String each : notes(turn)) text.append(each).append('\n');
    }
    return text.toString();
  }
}
