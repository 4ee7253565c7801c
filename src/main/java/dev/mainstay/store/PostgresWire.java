package dev.mainstay.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.mainstay.store.Changes.News;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * News between the processes that share a PostgreSQL database: one NOTIFY for all commits since the
 * last. It is sent by a thread of its own, because inside the transactions it would make all of
 * them wait for each other.
 */
final class PostgresWire implements Changes.Wire {
  /** The same for everybody in one schema, and short enough for a name. */
  private static final String CHANNEL = "'mainstay_' || md5(current_schema())";

  private static final long SENDINGS_MILLIS_BETWEEN = 5;
  private static final long JOURNAL_MILLIS_BETWEEN = 20;
  private static final long RETRY_MILLIS = 200;
  private static final long CLOSE_MILLIS_MAX = 2_000;

  /** A safety net: after so long without news everybody looks for himself. */
  private static final int SILENCE_MILLIS_MAX = 1_000;

  private static final int ALIVE_SECONDS_MAX = 5;
  private static final String CONNECT_SECONDS_MAX = "5";

  private final HikariDataSource pool;
  private final StoreAddress.Server address;
  private final String me = UUID.randomUUID().toString();
  private final EnumSet<News> unsent = EnumSet.noneOf(News.class);
  private @Nullable Thread sender;
  private boolean closed;

  PostgresWire(HikariDataSource pool, StoreAddress.Server address) {
    this.pool = pool;
    this.address = address;
  }

  @Override
  public synchronized void send(Set<News> news) {
    if (closed) return;
    unsent.addAll(news);
    if (sender == null) {
      Thread thread = new Thread(this::send, "mainstay-notify");
      thread.setDaemon(true);
      sender = thread;
      thread.start();
    }
    notifyAll();
  }

  private void send() {
    try {
      for (Set<News> news; !(news = takeUnsent()).isEmpty(); ) {
        try {
          sendNow(news);
          pause(SENDINGS_MILLIS_BETWEEN, JOURNAL_MILLIS_BETWEEN);
        } catch (SQLException | RuntimeException fault) {
          if (!putBack(news)) return; // others look for themselves before long
          pause(RETRY_MILLIS, RETRY_MILLIS);
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for something to send; nothing when it is closed and all was sent. */
  private synchronized Set<News> takeUnsent() throws InterruptedException {
    while (unsent.isEmpty() && !closed) wait();
    Set<News> news = EnumSet.copyOf(unsent);
    unsent.clear();
    return news;
  }

  private synchronized boolean putBack(Set<News> news) {
    unsent.addAll(news);
    return !closed;
  }

  /** What comes meanwhile goes with the next sending; whoever closes does not wait for it. */
  private synchronized void pause(long millis, long withoutReady) throws InterruptedException {
    long start = System.nanoTime();
    while (!closed) {
      // Workers wait for tasks; who reads the journal along can wait a little longer.
      long whole = unsent.contains(News.READY) ? millis : withoutReady;
      long left = start + TimeUnit.MILLISECONDS.toNanos(whole) - System.nanoTime();
      if (left <= 0) return;
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** Nothing of it is kept, so its commit does not wait for the disk. */
  private void sendNow(Set<News> news) throws SQLException {
    StringBuilder payload = new StringBuilder(me);
    for (News each : news) payload.append(' ').append(each);
    try (Connection connection = pool.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SET LOCAL synchronous_commit = off; SELECT pg_notify(" + CHANNEL + ", ?)")) {
      statement.setString(1, payload.toString());
      statement.execute();
      connection.commit();
    }
  }

  @Override
  public void close() {
    Thread thread;
    synchronized (this) {
      closed = true;
      thread = sender;
      notifyAll();
    }
    if (thread == null) return;
    try {
      thread.join(CLOSE_MILLIS_MAX);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Changes.Ear listen() throws SQLException {
    Properties login = new Properties();
    login.putAll(address.login());
    login.putIfAbsent("connectTimeout", CONNECT_SECONDS_MAX);
    login.putIfAbsent("loginTimeout", CONNECT_SECONDS_MAX);
    login.setProperty("ApplicationName", "mainstay-news");
    if (address.schema() != null) {
      login.setProperty("currentSchema", address.schema());
      login.setProperty("ApplicationName", "mainstay-news " + address.schema());
    }
    return new Ear(DriverManager.getConnection(address.jdbcUrl(), login));
  }

  /** Listens on a connection of its own, which is in no transaction. */
  private final class Ear implements Changes.Ear {
    private final Connection connection;

    Ear(Connection connection) throws SQLException {
      this.connection = connection;
      try (Statement statement = connection.createStatement()) {
        statement.execute("LISTEN " + channel(statement));
      } catch (SQLException fault) {
        SqliteWriter.quietly(connection::close);
        throw fault;
      }
    }

    private static String channel(Statement statement) throws SQLException {
      try (ResultSet result = statement.executeQuery("SELECT " + CHANNEL)) {
        if (!result.next()) throw new SQLException("the database has no current schema");
        return result.getString(1);
      }
    }

    @Override
    public Set<News> next() throws SQLException {
      List<String> heard = PostgresNotices.await(connection, SILENCE_MILLIS_MAX);
      if (heard.isEmpty()) {
        if (!connection.isValid(ALIVE_SECONDS_MAX)) throw new SQLException("nobody is there");
        return Changes.ALL;
      }
      Set<News> news = EnumSet.noneOf(News.class);
      for (String each : heard) news.addAll(read(each));
      return news;
    }

    private Set<News> read(String payload) {
      Set<News> news = EnumSet.noneOf(News.class);
      if (payload.startsWith(me)) return news; // this process knew first
      for (News each : News.values()) if (payload.contains(each.name())) news.add(each);
      return news;
    }

    /** Closes the socket, which ends a wait for notifications in another thread as well. */
    @Override
    public void close() {
      SqliteWriter.quietly(() -> connection.abort(Runnable::run));
    }
  }
}
