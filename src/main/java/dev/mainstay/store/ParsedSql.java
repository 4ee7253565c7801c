package dev.mainstay.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A statement's text as the driver wants it, its binds in order, and where its columns are. */
record ParsedSql(String text, List<String> names, Map<String, Integer> columns) {
  /** A colon in a cast or inside a quoted text is no bind. */
  private static final Pattern BIND =
      Pattern.compile("'[^']*'|::|:([a-z_][a-z0-9_]*)", Pattern.CASE_INSENSITIVE);

  /**
   * SQLite looks at a bare number of rows when it plans, and plans anew whenever one is bound,
   * which takes longer than most questions. It does not look into a sum.
   */
  private static final Pattern LIMIT = Pattern.compile("\\bLIMIT \\?", Pattern.CASE_INSENSITIVE);

  private static final Map<String, ParsedSql> PARSED = new ConcurrentHashMap<>();
  private static final int PARSED_MAX = 1_000;

  static ParsedSql of(String sql) {
    ParsedSql known = PARSED.get(sql);
    if (known != null) return known;
    List<String> names = new ArrayList<>();
    StringBuilder positional = new StringBuilder();
    Matcher matcher = BIND.matcher(sql);
    while (matcher.find()) {
      String name = matcher.group(1);
      if (name != null) names.add(name);
      matcher.appendReplacement(
          positional, name == null ? Matcher.quoteReplacement(matcher.group()) : "?");
    }
    String text = LIMIT.matcher(matcher.appendTail(positional)).replaceAll("LIMIT (? + 0)");
    ParsedSql parsed = new ParsedSql(text, List.copyOf(names), new ConcurrentHashMap<>());
    if (PARSED.size() < PARSED_MAX) PARSED.put(sql, parsed);
    return parsed;
  }
}
