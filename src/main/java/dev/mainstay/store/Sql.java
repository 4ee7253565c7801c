package dev.mainstay.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One SQL statement with named binds: {@code :name} for a value, {@code <name>} for a fragment of
 * the dialect. Values never become part of the text. A list bound to {@code :names} stands for as
 * many values as it has.
 */
public final class Sql {
  private static final int ROWS_FETCHED = 500;

  private final Statements statements;
  private final Dialect dialect;
  private String text;
  private final Map<String, @Nullable Object> binds = new HashMap<>();
  private final List<Map<String, @Nullable Object>> batch = new ArrayList<>();
  private Set<String> things = Set.of();
  private Set<String> needs = Set.of();
  private @Nullable Consumer<Row> reader;
  private boolean spreads;

  Sql(Statements statements, Dialect dialect, String text) {
    this.statements = statements;
    this.dialect = dialect;
    this.text = text;
  }

  /** Puts a dialect's fragment in the place of {@code <name>}; never a value from outside. */
  public Sql define(String name, String fragment) {
    text = SqlText.filled(text, name, fragment);
    return this;
  }

  public Sql bind(String name, @Nullable Object value) {
    binds.put(name, value);
    spreads |= value instanceof Collection;
    return this;
  }

  /**
   * Says what rows a change that is made {@link #later} is about, by their names: it may pass
   * others that are about other rows.
   */
  Sql about(String... rows) {
    things = Set.of(rows);
    return this;
  }

  Set<String> things() {
    return things;
  }

  /** Rows that must be there before; it does not pass what is about them. */
  Sql after(String... rows) {
    needs = Set.of(rows);
    return this;
  }

  Set<String> needs() {
    return needs;
  }

  String text() {
    return text;
  }

  Map<String, @Nullable Object> binds() {
    return binds;
  }

  @Nullable Consumer<Row> reader() {
    return reader;
  }

  /** Another statement on the same way, without binds yet. */
  Sql withText(String other) {
    return new Sql(statements, dialect, other);
  }

  /** Runs changes that have the same text, one after the other. */
  static void forEach(List<Sql> alike) {
    Sql all = alike.get(0).withText(alike.get(0).text);
    for (Sql each : alike) all.batch.add(each.binds);
    all.sendBatch();
  }

  /** Each row that it returns goes to the next of these. */
  void readBy(List<Consumer<Row>> readers) {
    if (readers.isEmpty()) return;
    Iterator<Consumer<Row>> turns = readers.iterator();
    reader = row -> turns.next().accept(row);
  }

  /** Keeps the binds so far as one row of a batch and begins the next. */
  public Sql addRow() {
    batch.add(new HashMap<>(binds));
    return this;
  }

  public <T> List<T> list(Function<Row, T> mapper) {
    List<T> rows = new ArrayList<>();
    each(row -> rows.add(mapper.apply(row)));
    return rows;
  }

  /** What waits to be changed travels with the question, unless it is much. */
  public <T> Optional<T> first(Function<Row, T> mapper) {
    List<T> rows = new ArrayList<>();
    Outbox outbox = statements.outbox();
    if (outbox == null || !outbox.takesAlong() || !text.startsWith("SELECT")) {
      each(row -> rows.add(mapper.apply(row)));
    } else {
      reader = row -> rows.add(mapper.apply(row));
      outbox.sendWith(this); // not added to it: who only asked can still take everything back
    }
    return rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(0));
  }

  public <T> T one(Function<Row, T> mapper) {
    return first(mapper).orElseThrow(() -> new IllegalStateException("no row: " + text));
  }

  /** Hands over each row; the result is always read to its end, as SQLite's commits need that. */
  public void each(Consumer<Row> consumer) {
    run(
        (statement, parsed) -> {
          statement.setFetchSize(ROWS_FETCHED); // PostgreSQL would hold all of them otherwise
          readAll(statement.executeQuery(), dialect, parsed, consumer);
          return 0;
        });
  }

  /** How many rows were changed. */
  public int update() {
    return run((statement, parsed) -> statement.executeUpdate());
  }

  /** Changes rows before anything else is asked and before the transaction ends. */
  public void later() {
    Outbox outbox = statements.outbox();
    if (outbox == null) update();
    else outbox.add(this);
  }

  /** The same for a change that returns rows. */
  void later(Consumer<Row> consumer) {
    Outbox outbox = statements.outbox();
    if (outbox == null) {
      each(consumer);
      return;
    }
    reader = consumer;
    outbox.add(this);
  }

  /** Runs changes of one connection in one go. */
  static void together(List<Sql> changes) {
    List<ParsedSql> parts = new ArrayList<>();
    for (Sql change : changes) parts.add(ParsedSql.of(change.spread(change.text)));
    String text = parts.stream().map(ParsedSql::text).collect(Collectors.joining(";\n"));
    changes
        .get(0)
        .with(
            new ParsedSql(text, List.of(), Map.of()),
            (statement, same) -> {
              int place = 1;
              for (int i = 0; i < parts.size(); i++) {
                place = changes.get(i).fill(statement, place, parts.get(i), changes.get(i).binds);
              }
              statement.execute();
              Faults.throwIfNotReplicated(statement.getWarnings()); // it may end with a commit
              for (int i = 0; i < parts.size(); i++) {
                Consumer<Row> reader = changes.get(i).reader;
                if (reader != null)
                  readAll(statement.getResultSet(), changes.get(i).dialect, parts.get(i), reader);
                statement.getMoreResults();
              }
              return 0;
            });
  }

  private static void readAll(
      ResultSet rows, Dialect dialect, ParsedSql parsed, Consumer<Row> consumer)
      throws SQLException {
    try (rows) {
      Row row = new Row(rows, dialect, parsed.columns());
      while (rows.next()) consumer.accept(row);
    }
  }

  /** Runs the statement once for each row added. */
  public void updateBatch() {
    if (batch.isEmpty()) return;
    statements.sendWaiting();
    statements.changed();
    sendBatch();
  }

  private void sendBatch() {
    ParsedSql parsed = ParsedSql.of(text);
    with(
        parsed,
        (statement, same) -> {
          for (var row : batch) {
            fill(statement, 1, parsed, row);
            statement.addBatch();
          }
          statement.executeBatch();
          return 0;
        });
  }

  private interface Run {
    int with(PreparedStatement statement, ParsedSql parsed) throws SQLException;
  }

  private int run(Run run) {
    statements.sendWaiting();
    if (!text.startsWith("SELECT")) statements.changed();
    return perform(run);
  }

  private int perform(Run run) {
    ParsedSql parsed = ParsedSql.of(spread(text));
    return with(
        parsed,
        (statement, same) -> {
          fill(statement, 1, parsed, binds);
          return run.with(statement, parsed);
        });
  }

  private int with(ParsedSql parsed, Run run) {
    try {
      PreparedStatement statement = statements.take(parsed.text());
      boolean sound = false;
      try {
        int result = run.with(statement, parsed);
        sound = true;
        return result;
      } finally {
        if (sound) statements.giveBack(parsed.text(), statement);
        else statement.close(); // what failed is not used again
      }
    } catch (SQLException fault) {
      throw new SqlFault(fault);
    }
  }

  /** Sets the values from a place on; the place after the last. */
  private int fill(
      PreparedStatement statement, int from, ParsedSql parsed, Map<String, @Nullable Object> values)
      throws SQLException {
    int place = from;
    for (String name : parsed.names()) {
      if (!values.containsKey(name)) throw new IllegalArgumentException("no bind for :" + name);
      dialect.set(statement, place++, values.get(name));
    }
    return place;
  }

  private String spread(String sql) {
    if (!spreads) return sql;
    String result = sql;
    for (String name : List.copyOf(binds.keySet())) {
      if (!(binds.get(name) instanceof Collection<?> items)) continue;
      result = dialect.spread(result, name, items, binds);
    }
    return result;
  }
}
