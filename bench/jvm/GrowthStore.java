import dev.mainstay.app.Mainstay;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskOrder;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Wanted;
import dev.mainstay.state.Prompts;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** A store with so many tasks, and what a caller does with it, one thing after the other. */
final class GrowthStore implements AutoCloseable {
  private static final Call BOT = Call.by(Actor.agent("bench"), "bench");
  private static final Duration LEASE = Duration.ofMinutes(60);

  /** Done less often than the others: it looks at every task. */
  static final String SLOW = "search for one task's word";

  private static final int LISTED = 100;

  private final boolean postgres;
  private final String jdbc;
  private final int tasks;
  private final Mainstay mainstay;
  private final Random random = new Random(7);
  private int lives;
  private Task held;

  /** Filled straight into the tables, but for the first task, which lives through the use cases. */
  GrowthStore(QueueSupply.Place place, String address, int tasks) throws Exception {
    postgres = place.postgres();
    jdbc = place.jdbc();
    this.tasks = tasks;
    try (Mainstay first = Mainstay.open(address)) {
      Task task = first.tasks().create(NewTask.titled("the first task"), BOT);
      var delta = NotebookDelta.of(Section.HISTORY, "what was done about it");
      first.notebooks().merge(task.id(), delta, BOT);
    }
    fill();
    mainstay = Mainstay.open(address);
  }

  int tasks() {
    return tasks;
  }

  interface Operation {
    void run() throws Exception;
  }

  /** In the order in which a task lives through them; each can be done again and again. */
  Map<String, Operation> operations() {
    Map<String, Operation> all = new LinkedHashMap<>();
    all.put("create", () -> mainstay.tasks().create(NewTask.titled("task " + ++lives), BOT));
    all.put("claim", () -> held = mainstay.leases().claim(Wanted.any("w", LEASE), BOT).get(0));
    all.put("state merge", this::merge);
    all.put("prompt", () -> mainstay.prompts().render(held.id(), Prompts.Wanted.by("claude-code")));
    all.put("state show", () -> mainstay.notebooks().show(anyId(), Actor.agent("bench")));
    all.put("show", () -> mainstay.tasks().show(anyId()));
    all.put(
        "list 100",
        () -> must(mainstay.tasks().list(TaskFilter.ALL, null, LISTED).tasks().size() == LISTED));
    all.put(
        "list the newest 100",
        () ->
            must(
                mainstay.tasks().list(TaskFilter.ALL, TaskOrder.NEWEST, null, LISTED).tasks().size()
                    == LISTED));
    all.put("search for a word of many", () -> search("done", LISTED));
    all.put(SLOW, () -> search("word-" + anyNumber(), 1));
    all.put("complete", this::complete);
    return all;
  }

  private void merge() {
    var delta = NotebookDelta.of(Section.HISTORY, "step of life " + lives);
    mainstay.notebooks().merge(held.id(), delta, BOT.withFence(held.fence()));
  }

  private void complete() {
    mainstay.leases().complete(held.id(), JsonObject.EMPTY, BOT.withFence(held.fence()));
  }

  private void search(String word, int found) {
    TaskFilter filter = TaskFilter.ALL.saying(word);
    must(mainstay.tasks().list(filter, TaskOrder.NEWEST, null, LISTED).tasks().size() == found);
  }

  private static void must(boolean right) {
    if (!right) throw new IllegalStateException("an answer was wrong");
  }

  private int anyNumber() {
    return 1_000_000 + 2 + random.nextInt(tasks - 2);
  }

  private TaskId anyId() {
    return TaskId.parse(
        String.format(java.util.Locale.ROOT, "T-%03d", 2 + random.nextInt(tasks - 2)));
  }

  /** Three of four wait, one of four is done; each has its first journal entry and its dossier. */
  private void fill() throws Exception {
    String numbers =
        postgres
            ? "generate_series(2, " + tasks + ") i"
            : "(WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < "
                + tasks
                + ") SELECT i FROM n)";
    String id =
        postgres
            ? "'T-' || lpad(i::text, greatest(3, length(i::text)), '0')"
            : "printf('T-%03d', i)";
    String now = postgres ? "now()" : "strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'";
    try (Connection connection = DriverManager.getConnection(jdbc);
        Statement statement = connection.createStatement()) {
      if (!postgres) statement.execute("PRAGMA synchronous = OFF"); // of the filling alone
      connection.setAutoCommit(false);
      statement.executeUpdate(
          "INSERT INTO tasks (id, seq, title, description, task_type, priority, status, completed_at,"
              + " version) SELECT ID, i, 'task ' || i, 'what is to be done about word-' || (1000000 + i),"
                  .replace("ID", id)
              + " 'CODE', i % 10, CASE WHEN i % 4 = 0 THEN 'COMPLETED' ELSE 'PENDING' END,"
              + (" CASE WHEN i % 4 = 0 THEN " + now + " END, 1 FROM " + numbers));
      statement.executeUpdate(
          "INSERT INTO journal (stream, number, actor, source, at, kind, payload, payload_hash,"
              + (" previous_hash, hash) SELECT 'task/' || " + id + ", 1, 'agent:bench', 'bench', ")
              + (now + ", 'task.created', PAYLOAD, HASH, HASH, HASH FROM " + numbers)
                  .replace("PAYLOAD", "'{\"title\":\"task\"}'")
                  .replace("HASH", "'" + "0".repeat(64) + "'"));
      statement.executeUpdate(
          "INSERT INTO dossiers (task_id, number, notes_since, task_state) SELECT "
              + (id + ", d.number, d.notes_since, d.task_state FROM dossiers d, " + numbers)
              + " WHERE d.task_id = 'T-001'");
      statement.execute(
          postgres
              ? "SELECT setval('task_numbers', " + (tasks + 1) + ", false)"
              : "UPDATE counters SET value = " + tasks + " WHERE name = 'task'");
      connection.commit();
      connection.setAutoCommit(true);
      for (String table : new String[] {"tasks", "journal", "dossiers"}) {
        statement.execute((postgres ? "VACUUM ANALYZE " : "ANALYZE ") + table);
      }
    }
  }

  /** Empty if each life left one task, created and completed once, and nothing else changed. */
  String wrong() throws Exception {
    long all = count("SELECT count(*) FROM tasks");
    long created = count("SELECT count(*) FROM journal WHERE kind = 'task.created'");
    long ended = count("SELECT count(*) FROM journal WHERE kind = 'task.completed'");
    boolean right = all == tasks + lives && created == all && ended == lives;
    return right ? "" : all + " tasks, " + created + " created, " + ended + " ended, " + lives;
  }

  private long count(String query) throws Exception {
    try (Connection connection = DriverManager.getConnection(jdbc);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() {
    mainstay.close();
  }
}
