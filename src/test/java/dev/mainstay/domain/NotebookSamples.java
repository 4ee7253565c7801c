package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.Notebook.Section;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Authors, texts and updates for the tests of the state. */
public final class NotebookSamples {
  public static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  public static final Actor ADA = Actor.person("ada");
  public static final Actor CODER = Actor.agent("coder");
  public static final Actor TESTER = Actor.agent("tester");

  private static final List<String> PIECES =
      List.of(
          "a",
          "Zürich ",
          "e\u0301",
          "\uD83D\uDE00",
          "\uD83C\uDDE8\uD83C\uDDED",
          "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67",
          "\uD83D\uDC4D\uD83C\uDFFD",
          "\u1112\u1161\u11AB",
          "\r\n",
          " long words that fill the line quickly ");

  private NotebookSamples() {}

  public static Origin by(Actor actor) {
    return new Origin(actor, "test", NOON);
  }

  public static Origin by(Actor actor, int minute) {
    return new Origin(actor, "test", NOON.plusSeconds(60L * minute));
  }

  public static Actor anyActor(Random random) {
    return List.of(ADA, CODER, TESTER, Actor.SYSTEM).get(random.nextInt(4));
  }

  /** Often short and from few, so that duplicates happen; sometimes far over the limit. */
  public static String anyText(Random random) {
    if (random.nextInt(3) > 0) return "item " + random.nextInt(12);
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(4) == 0 ? 200 : 5;
    for (int i = 0; i < length; i++) text.append(PIECES.get(random.nextInt(PIECES.size())));
    return text.toString();
  }

  public static List<String> anyTexts(Random random, int most) {
    List<String> texts = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) texts.add(anyText(random));
    return texts;
  }

  public static NotebookDelta anyDelta(Random random) {
    Map<Section, List<String>> texts = new EnumMap<>(Section.class);
    for (Section section : Section.values()) {
      if (random.nextInt(3) > 0) continue;
      texts.put(section, anyTexts(random, random.nextInt(10) == 0 ? 60 : 4));
    }
    return new NotebookDelta(texts);
  }
}
