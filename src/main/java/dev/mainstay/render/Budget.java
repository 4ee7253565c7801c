package dev.mainstay.render;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How much room a prompt has, and in what it is measured. */
public record Budget(Unit unit, int limit) {
  /** Below this a prompt could not even say what it left out. */
  public static final int TOKENS_MIN = 320;

  public static final int CHARACTERS_MIN = 1_024;
  public static final int LIMIT_MAX = 4_000_000;

  /** Claude Code shows a mere preview of a hook's output that is one character longer. */
  public static final Budget CLAUDE_CODE = new Budget(Unit.CHARACTERS, 10_000);

  public static final Budget CODEX = new Budget(Unit.O200K_TOKENS, 2_500);
  public static final Budget API = new Budget(Unit.O200K_TOKENS, 5_000);

  private static final Map<String, Budget> PRESETS = presets();

  /** What is counted. Characters are UTF-16 units, as the hosts that limit characters count. */
  public enum Unit {
    O200K_TOKENS(Tokens.O200K),
    CL100K_TOKENS(Tokens.CL100K),
    ESTIMATED_TOKENS(Tokens.ESTIMATE),
    CHARACTERS(null) {
      @Override
      public int size(String text) {
        return text.length();
      }
    };

    private final @Nullable Tokens tokens;

    Unit(@Nullable Tokens tokens) {
      this.tokens = tokens;
    }

    public int size(String text) {
      if (tokens == null) throw new IllegalStateException(this + " has a size of its own");
      return tokens.count(text);
    }
  }

  public Budget {
    int least = minimum(unit);
    if (limit < least || limit > LIMIT_MAX) {
      throw Refusal.invalid(
          Phrase.of(
              "a budget of %d %s cannot be kept; give one from %d to %d",
              limit, noun(unit), least, LIMIT_MAX));
    }
  }

  public static Budget tokens(int limit) {
    return new Budget(Unit.O200K_TOKENS, limit);
  }

  public static Budget characters(int limit) {
    return new Budget(Unit.CHARACTERS, limit);
  }

  /** The budget that belongs to a host: {@code claude-code}, {@code codex} or {@code api}. */
  public static Budget named(String host) {
    Budget budget = PRESETS.get(host.strip());
    if (budget == null) {
      throw Refusal.invalid(
          Phrase.of(
              "there is no budget named \"%s\"; there are %s",
              host, String.join(", ", PRESETS.keySet())));
    }
    return budget;
  }

  /** The same limit counted without a vocabulary, for callers who have no time to load one. */
  public Budget estimated() {
    return unit == Unit.CHARACTERS ? this : new Budget(Unit.ESTIMATED_TOKENS, limit);
  }

  public int size(String text) {
    return unit.size(text);
  }

  private static String noun(Unit unit) {
    return unit == Unit.CHARACTERS ? "characters" : "tokens";
  }

  private static Map<String, Budget> presets() {
    var presets = new LinkedHashMap<String, Budget>();
    presets.put("claude-code", CLAUDE_CODE);
    presets.put("codex", CODEX);
    presets.put("api", API);
    return presets;
  }

  /** The least that is accepted in this unit. */
  int minimum() {
    return minimum(unit);
  }

  private static int minimum(Unit unit) {
    return unit == Unit.CHARACTERS ? CHARACTERS_MIN : TOKENS_MIN;
  }
}
