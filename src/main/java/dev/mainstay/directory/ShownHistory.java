package dev.mainstay.directory;

import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.StepRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The entries as history.md shows them. All of them stand there, but when their texts are too much
 * for one file those of the oldest are shortened; the journal keeps them whole.
 */
final class ShownHistory {
  /** What the texts may take as they are written; headings and names of fields come on top. */
  static final int TEXTS_BYTES_SHOWN_MAX = 400_000;

  static final int TEXT_CHARS_SHOWN_MAX = 200;
  static final int ERRORS_CHARS_SHOWN_MAX = 10;
  static final int TOOLS_CHARS_SHOWN_MAX = 2_000;

  private static final String WHERE = "(shortened; 'mainstay exec export --trace' has it whole)";

  private ShownHistory() {}

  /** The same entries, the oldest as short as they must be. */
  static List<StepRecord> of(List<StepRecord> history) {
    List<StepRecord> shown = new ArrayList<>(history);
    shortenUnweighed(shown);
    long[] sizes = shown.stream().mapToLong(ShownHistory::bytes).toArray();
    long bytes = Arrays.stream(sizes).sum();
    List<UnaryOperator<StepRecord>> ways = List.of(ShownHistory::shortened, ShownHistory::barest);
    for (UnaryOperator<StepRecord> way : ways) {
      for (int n = 0; n < shown.size() && bytes > TEXTS_BYTES_SHOWN_MAX; n++) {
        StepRecord shorter = way.apply(shown.get(n));
        long size = bytes(shorter);
        if (size >= sizes[n]) continue;
        bytes -= sizes[n] - size;
        sizes[n] = size;
        shown.set(n, shorter);
      }
    }
    return shown;
  }

  /** A character takes a byte at least: while there are too many of them, none needs weighing. */
  private static void shortenUnweighed(List<StepRecord> shown) {
    long chars = shown.stream().mapToLong(ShownHistory::chars).sum();
    for (int n = 0; n < shown.size() && chars > TEXTS_BYTES_SHOWN_MAX; n++) {
      StepRecord shorter = shortened(shown.get(n));
      chars -= chars(shown.get(n)) - chars(shorter);
      shown.set(n, shorter);
    }
  }

  private static long chars(StepRecord record) {
    long chars = 0;
    for (String text : record.texts().values()) chars += text.length();
    return chars;
  }

  /** The beginning of a long text, and where the rest of it is. */
  static String cut(String text, int charsMax) {
    return text.length() <= charsMax ? text : Graphemes.cut(text, charsMax) + " ... " + WHERE;
  }

  private static StepRecord shortened(StepRecord record) {
    Map<StepRecord.Field, String> texts = new EnumMap<>(StepRecord.Field.class);
    record
        .texts()
        .forEach(
            (field, text) -> {
              String begun = cut(text, TEXT_CHARS_SHOWN_MAX);
              texts.put(field, begun.length() < text.length() ? begun : text);
            });
    return with(record, texts);
  }

  /** So many entries leave room for little more than that they are there, and which failed. */
  private static StepRecord barest(StepRecord record) {
    Map<StepRecord.Field, String> texts = new EnumMap<>(StepRecord.Field.class);
    texts.put(StepRecord.Field.NOTES, WHERE);
    String errors = record.text(StepRecord.Field.ERRORS);
    if (errors != null)
      texts.put(StepRecord.Field.ERRORS, Graphemes.cut(errors, ERRORS_CHARS_SHOWN_MAX));
    return with(record, texts);
  }

  private static StepRecord with(StepRecord record, Map<StepRecord.Field, String> texts) {
    return new StepRecord(record.step(), record.at(), record.simulated(), record.spent(), texts);
  }

  private static long bytes(StepRecord record) {
    long bytes = 0;
    for (String text : record.texts().values()) {
      for (int i = 0; i < text.length(); i++) bytes += bytesMost(text.charAt(i));
    }
    return bytes;
  }

  /** What a character takes in the file at most, whether its text is quoted there or indented. */
  private static int bytesMost(char c) {
    if (c >= ' ' && c <= '~' && c != '"' && c != '\\') return 1; // nearly all
    if (c == '\n') return 4; // two for the line end, two for the indentation behind it
    if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || c == '\uFEFF') return 6;
    if (c == '"' || c == '\\' || Character.isSurrogate(c)) return 2;
    return c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
  }
}
