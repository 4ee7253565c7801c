import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The least that keeps a turn: one durable upsert of what is new. StateFloor JDBC_URL TURNS
 * WARM_UP.
 */
public final class StateFloor {
  private static final int NEWEST = 3;

  private StateFloor() {}

  public static void main(String[] arguments) throws SQLException {
    int turns = Integer.parseInt(arguments[1]);
    try (Connection connection = DriverManager.getConnection(arguments[0]);
        Statement statement = connection.createStatement()) {
      if (arguments[0].startsWith("jdbc:sqlite:")) {
        statement.execute("PRAGMA journal_mode = WAL");
        statement.execute("PRAGMA synchronous = FULL");
      }
      statement.execute(
          "CREATE TABLE notes (task TEXT, turn INTEGER, said TEXT, PRIMARY KEY (task, turn))");
      play(connection, "warm", Integer.parseInt(arguments[2]));
      System.out.println(JsonText.write(play(connection, "one", turns)));
    }
  }

  private static JsonObject play(Connection connection, String task, int turns)
      throws SQLException {
    long saving = 0;
    long loading = 0;
    for (int turn = 0; turn < turns; turn++) {
      String said = String.join("\n", StateText.notes(turn)) + "\n";
      long began = System.nanoTime();
      save(connection, task, turn, said);
      long saved = System.nanoTime();
      load(connection, task, turn - NEWEST);
      loading += System.nanoTime() - saved;
      saving += saved - began;
    }
    long began = System.nanoTime();
    String all = load(connection, task, -1);
    double reading = (System.nanoTime() - began) / 1e6;
    return JsonObject.of("save", saving / 1e6 / turns, "load", loading / 1e6 / turns)
        .with("read", reading)
        .with("sha256", Hash.of(all));
  }

  private static void save(Connection connection, String task, int turn, String said)
      throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement(
            "INSERT INTO notes (task, turn, said) VALUES (?, ?, ?)"
                + " ON CONFLICT (task, turn) DO UPDATE SET said = excluded.said")) {
      upsert.setString(1, task);
      upsert.setInt(2, turn);
      upsert.setString(3, said);
      upsert.executeUpdate();
    }
  }

  private static String load(Connection connection, String task, int after) throws SQLException {
    StringBuilder text = new StringBuilder();
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT said FROM notes WHERE task = ? AND turn > ? ORDER BY turn")) {
      select.setString(1, task);
      select.setInt(2, after);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) text.append(rows.getString(1));
      }
    }
    return text.toString();
  }
}
