package dev.mainstay.json;

import dev.mainstay.domain.Refusal;

/** A text that begins with fields between two lines of three dashes, and what stands below them. */
public record FrontMatter(YamlFields fields, String body) {
  private static final String FENCE = "---";

  /** Takes a text apart; a fault is told with the file's name and the line. */
  public static FrontMatter read(String where, String text) {
    String plain = text.startsWith("\ufeff") ? text.substring(1) : text;
    String[] lines = plain.replace("\r\n", "\n").split("\n", -1);
    if (!lines[0].stripTrailing().equals(FENCE)) {
      throw Refusal.invalid(where + ":1: the first line must be ---, with the fields below it");
    }
    int end = 1;
    while (end < lines.length && !lines[end].stripTrailing().equals(FENCE)) end++;
    if (end == lines.length) {
      throw Refusal.invalid(where + ":1: the fields have no end; put a line --- below them");
    }
    YamlFields fields = YamlText.fields(where, joined(lines, 1, end), 1);
    return new FrontMatter(fields, joined(lines, end + 1, lines.length).strip());
  }

  private static String joined(String[] lines, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) text.append(lines[i]).append('\n');
    return text.toString();
  }
}
