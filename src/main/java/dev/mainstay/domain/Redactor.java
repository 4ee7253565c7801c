package dev.mainstay.domain;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts a marker in the place of every secret, before a text reaches the journal. The marker names
 * the kind of secret and the start of its SHA-256, so that two texts can be seen to have held the
 * same one. What surrounds a secret stays as it is, and redacting twice changes nothing. The time
 * is linear in the length of the text, whatever the text.
 */
public final class Redactor {
  /** The id of an execution looks as random as a key and is none. */
  private static final Pattern EXECUTION_ID =
      Pattern.compile("^exec_[0-9]{8}T[0-9]{6}Z_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$");

  /** Knows the common formats and nothing of one project. */
  public static final Redactor DEFAULT = new Redactor(Map.of(), List.of(EXECUTION_ID));

  // Taking out one secret can bare another beside it; ordinary text is settled after the second.
  private static final int ROUNDS_MAX = 8;
  private static final int MARKER_HASH_BYTES = 4;
  // Excluded by every value class (as \s) and never skipped (as \h): a marker is a wall to
  // patterns.
  private static final char WALL = '\f';

  private static final SecretRule MARKER =
      SecretRule.judged(
          "marker",
          any -> true,
          "\\[redacted:[a-z][a-z0-9-]{0,31}:[0-9a-f]{8}\\]",
          List.of("[redacted:"));

  private final List<SecretRule> rules;
  private final Anchors anchors;
  private final List<Pattern> allowed;

  /**
   * @param extra further patterns by the kind their markers name (lower case and hyphens); the
   *     secret is the group named {@code s}, or the whole match without one
   * @param allowed a secret in which one of these is found stays
   */
  public Redactor(Map<String, Pattern> extra, List<Pattern> allowed) {
    var all = new ArrayList<SecretRule>();
    extra.forEach((kind, pattern) -> all.add(SecretRule.custom(kind, pattern)));
    all.addAll(SecretFormats.RULES);
    all.addAll(SecretPrefixes.RULES);
    all.addAll(SecretAssignments.RULES);
    all.addAll(SecretCommands.RULES);
    this.rules = List.copyOf(all);
    this.anchors = new Anchors(rules);
    this.allowed = List.copyOf(allowed);
  }

  /** The text with each secret replaced by {@code [redacted:kind:hash]}. */
  public String redact(String text) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
      var secrets = merged(find(text));
      if (secrets.isEmpty()) return text;
      text = replace(text, secrets);
    }
    return text;
  }

  /**
   * The value with the secrets of all its strings replaced; keys, numbers and booleans stay. A
   * string under a key such as {@code password} or {@code api_key} is a secret whole, unless it is
   * a placeholder, a word that names the field again, or a sentence.
   */
  public @Nullable Object redactJson(@Nullable Object value) {
    return redactJson(value, false);
  }

  /** The object with the secrets of all its strings replaced. */
  public JsonObject redactObject(JsonObject object) {
    return redactJson(object, false) instanceof JsonObject redacted ? redacted : object;
  }

  private @Nullable Object redactJson(@Nullable Object value, boolean underSecretKey) {
    if (value instanceof JsonObject object) {
      return redactJson(object.asMap(), underSecretKey) instanceof Map<?, ?> map
          ? JsonObject.copyOf(map)
          : object;
    }
    if (value instanceof String text) {
      var redacted = redact(text);
      boolean whole = underSecretKey && !isAllowed(text) && holdsSecret(redacted);
      return whole ? marker("secret", text) : redacted;
    }
    if (value instanceof List<?> list) {
      var copy = new ArrayList<@Nullable Object>(list.size());
      for (var item : list) copy.add(redactJson(item, underSecretKey));
      return copy;
    }
    if (value instanceof Map<?, ?> map) {
      var copy = new LinkedHashMap<Object, @Nullable Object>();
      map.forEach((key, item) -> copy.put(key, redactJson(item, SecretKey.names(key.toString()))));
      return copy;
    }
    return value;
  }

  private static boolean holdsSecret(String redacted) {
    var rest = walls(redacted, redacted, List.of(MARKER)).replace(String.valueOf(WALL), "");
    return SecretValue.isUnderSecretKey(rest);
  }

  private List<Span> find(String text) {
    var open = walls(text, text, List.of(MARKER));
    var lower = asciiLower(open);
    var found = new ArrayList<Span>();
    int[] firsts = anchors.firsts(lower);
    for (int rank = 0; rank < rules.size(); rank++) {
      var rule = rules.get(rank);
      if (rule.anchors().isEmpty()) rule.scan(open, lower, into(found, open, rank));
      int[] words = anchors.of(rank);
      for (int i = 0; i < words.length; i++) {
        int first = firsts[words[i]];
        if (first < 0) continue; // nearly always
        rule.scan(open, lower, rule.anchors().get(i), first, into(found, open, rank));
      }
    }
    // A text without random runs is the common one; only the others pay for looking at context.
    if (RandomRun.isIn(open)) {
      RandomRun.scan(walls(open, lower, SecretFormats.SPARED), into(found, open, rules.size()));
    }
    return found;
  }

  private SecretRule.Finds into(List<Span> found, String open, int rank) {
    var kind = rank < rules.size() ? rules.get(rank).kind() : RandomRun.KIND;
    return (start, end) -> {
      if (!isAllowed(open.substring(start, end))) found.add(new Span(start, end, rank, kind));
    };
  }

  private boolean isAllowed(String secret) {
    for (var pattern : allowed) if (pattern.matcher(secret).find()) return true;
    return false;
  }

  /** The text with what the rules match made unmatchable, every other character in its place. */
  private static String walls(String text, String lower, List<SecretRule> rules) {
    var chars = new char[][] {null};
    for (var rule : rules) {
      rule.scan(
          text,
          lower,
          (start, end) -> {
            if (chars[0] == null) chars[0] = text.toCharArray();
            Arrays.fill(chars[0], start, end, WALL);
          });
    }
    return chars[0] == null ? text : new String(chars[0]);
  }

  /** Overlapping finds become one, under the kind that stands first in the table. */
  private static List<Span> merged(List<Span> found) {
    if (found.size() < 2) return found; // nearly always, and comparing needs classes made first
    found.sort(Comparator.comparingInt(Span::start).thenComparingInt(Span::priority));
    var merged = new ArrayList<Span>();
    for (var span : found) {
      int last = merged.size() - 1;
      if (last >= 0 && span.start < merged.get(last).end) {
        merged.set(last, merged.get(last).union(span));
      } else {
        merged.add(span);
      }
    }
    return merged;
  }

  private static String replace(String text, List<Span> secrets) {
    var out = new StringBuilder(text.length());
    int from = 0;
    for (var secret : secrets) {
      out.append(text, from, secret.start);
      out.append(marker(secret.kind, text.substring(secret.start, secret.end)));
      from = secret.end;
    }
    return out.append(text, from, text.length()).toString();
  }

  private static String marker(String kind, String secret) {
    try {
      var hash =
          MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
      return "[redacted:" + kind + ":" + HexFormat.of().formatHex(hash, 0, MARKER_HASH_BYTES) + "]";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Lower case without a change of length, which {@code toLowerCase} does not promise. */
  private static String asciiLower(String text) {
    var chars = text.toCharArray();
    for (int i = 0; i < chars.length; i++) {
      if (chars[i] >= 'A' && chars[i] <= 'Z') chars[i] += 'a' - 'A';
    }
    return new String(chars);
  }

  private record Span(int start, int end, int priority, String kind) {
    Span union(Span other) {
      var first = other.priority < priority ? other : this;
      return new Span(
          Math.min(start, other.start), Math.max(end, other.end), first.priority, first.kind);
    }
  }
}
