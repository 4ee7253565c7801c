package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.anyActor;
import static dev.mainstay.domain.NotebookSamples.anyText;
import static dev.mainstay.domain.NotebookSamples.by;

import dev.mainstay.domain.Execution.Figures;
import dev.mainstay.domain.Execution.Head;
import dev.mainstay.domain.Execution.Identity;
import dev.mainstay.domain.Execution.Review;
import dev.mainstay.domain.Execution.Running;
import dev.mainstay.domain.StepDetails.Outlook;
import dev.mainstay.domain.StepDetails.Param;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Executions and all that belongs to them, at random. */
public final class ExecutionSamples {
  private ExecutionSamples() {}

  public static <T> T one(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  static BigDecimal anyAmount(Random random) {
    return BigDecimal.valueOf(random.nextInt(1_000_000), random.nextInt(10));
  }

  static Spent anySpent(Random random) {
    return new Spent(anyAmount(random), anyAmount(random), random.nextInt(30), random.nextInt(10));
  }

  static String anyLine(Random random) {
    String line = anyText(random).replaceAll("\\R", " ").strip();
    return line.isEmpty() ? "a" : Graphemes.cut(line, 90).strip();
  }

  static Object anyValue(Random random, Setting setting) {
    return switch (setting.kind()) {
      case CHOICE -> anyChoice(random, setting);
      case DOLLARS, SECONDS -> anyAmount(random);
      case COUNT -> (long) random.nextInt(100);
      case TOOLS -> List.of("Read", anyLine(random));
    };
  }

  private static String anyChoice(Random random, Setting setting) {
    return switch (setting) {
      case USER_SENTIMENT -> one(random, List.of("neutral", "pleased", "frustrated", "impatient"));
      case PRIORITY -> one(random, List.of("quality", "comprehensiveness", "cost_efficiency"));
      case HUMAN_REVIEW_TRIGGER_LEVEL -> one(random, List.of("low", "medium", "high"));
      case ACTIVE_PERSONA -> one(random, List.of("concise_assistant", "detailed_analyst"));
      default -> one(random, List.of("strict", "moderate", "flexible"));
    };
  }

  static Setting anySetting(Random random) {
    return one(random, List.of(Setting.values()));
  }

  static Settings anySettings(Random random) {
    Map<Setting, Object> values = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      if (random.nextBoolean()) values.put(setting, anyValue(random, setting));
    }
    return new Settings(values);
  }

  static List<String> anyLines(Random random) {
    Set<String> lines = new LinkedHashSet<>();
    for (int i = random.nextInt(4); i > 0; i--) lines.add(anyLine(random));
    return List.copyOf(lines);
  }

  static List<Behaviour> anyBehaviours(Random random) {
    return anyLines(random).stream().map(name -> new Behaviour(name, anyLine(random))).toList();
  }

  static Constraints anyConstraints(Random random) {
    List<String> rules = random.nextBoolean() ? AdaptationRule.DOCUMENT_RULES : anyLines(random);
    return new Constraints(anySettings(random), rules, anyBehaviours(random));
  }

  /** Values as they come out of a JSON text: there a whole number is no decimal. */
  public static JsonObject anyObject(Random random, int depth) {
    JsonObject object = JsonObject.EMPTY;
    for (int i = random.nextInt(4); i > 0; i--) {
      object = object.withAny("k" + random.nextInt(5), anyJson(random, depth));
    }
    return object;
  }

  private static Object anyJson(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 6 : 8)) {
      case 0 -> random.nextLong() >> 6;
      case 1 -> BigDecimal.valueOf(random.nextInt(1_000), 1 + random.nextInt(6));
      case 2 -> random.nextBoolean();
      case 3 -> null;
      case 4 -> "{{k" + random.nextInt(5) + "}}";
      case 5 -> anyText(random);
      case 6 -> anyObject(random, depth - 1);
      default -> List.of(anyText(random), (long) random.nextInt(9), anyObject(random, depth - 1));
    };
  }

  static List<Passage> anyPassages(Random random) {
    if (random.nextInt(3) == 0) return Passage.INITIAL;
    List<Passage> passages = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      passages.add(new Passage("## " + anyText(random), "\n" + anyText(random) + "\r\n \t"));
    }
    return passages;
  }

  static Pages anyPages(Random random) {
    Map<String, String> layouts = new TreeMap<>();
    if (random.nextBoolean()) layouts.put("plan.md", "# mine\n" + anyText(random));
    return new Pages(anyObject(random, 3), anyPassages(random), layouts);
  }

  static Identity anyIdentity(Random random) {
    return new Identity(
        "exec_20260301T12000%dZ_%08x".formatted(random.nextInt(10), random.nextInt()),
        one(random, List.of(ExecutionMode.values())),
        random.nextBoolean() ? null : one(random, List.of(ExecutionType.values())),
        by(anyActor(random), random.nextInt(90)).at());
  }

  static Proposal anyProposal(Random random, int number) {
    return new Proposal(
        number,
        one(random, List.of(Proposal.Kind.values())),
        anyLine(random),
        random.nextBoolean() ? "" : anyText(random),
        by(anyActor(random), random.nextInt(90)));
  }

  static Review anyReview(Random random) {
    List<Proposal> open = new ArrayList<>();
    int number = 0;
    for (int i = random.nextInt(4); i > 0; i--) {
      number += 1 + random.nextInt(3);
      open.add(anyProposal(random, number));
    }
    return new Review(number + random.nextInt(3), open, anyLines(random), anyLines(random));
  }

  static Execution anyExecution(Random random) {
    Running running =
        new Running(
            1 + random.nextInt(9),
            by(anyActor(random), random.nextInt(90)).at(),
            anyObject(random, 2),
            anySpent(random));
    Head head =
        new Head(
            anyIdentity(random),
            one(random, List.of(ExecutionStatus.values())),
            by(anyActor(random), random.nextInt(90)).at(),
            random.nextBoolean() ? running : null,
            random.nextBoolean() ? anyLine(random) : null);
    Figures figures =
        new Figures(anySpent(random), random.nextInt(9), random.nextInt(9), random.nextInt(9));
    return new Execution(
        head, anyConstraints(random), figures, anyPages(random), anyReview(random));
  }

  static StepRecord anyRecord(Random random) {
    Map<StepRecord.Field, String> texts = new EnumMap<>(StepRecord.Field.class);
    for (StepRecord.Field field : StepRecord.Field.values()) {
      if (random.nextBoolean()) texts.put(field, anyText(random));
    }
    return new StepRecord(
        1 + random.nextInt(Plan.STEPS_MAX),
        by(anyActor(random), random.nextInt(90)).at(),
        random.nextBoolean(),
        anySpent(random),
        texts);
  }

  static StepDetails anyDetails(Random random) {
    return new StepDetails(
        random.nextBoolean() ? "" : anyLine(random),
        random.nextBoolean() ? "" : "Read",
        anyParams(random),
        anyParams(random),
        new Outlook(
            random.nextBoolean() ? null : anyAmount(random),
            random.nextBoolean() ? null : anyAmount(random),
            random.nextBoolean() ? "" : anyText(random)));
  }

  private static List<Param> anyParams(Random random) {
    List<Param> params = new ArrayList<>();
    anyObject(random, 2)
        .asMap()
        .forEach((name, value) -> params.add(new Param(name, value == null ? "" : value)));
    return params;
  }
}
