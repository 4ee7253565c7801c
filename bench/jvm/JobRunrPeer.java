import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.details.CachingJobDetailsGenerator;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;

/**
 * JobRunr, the free edition, whose jobs do nothing. It keeps what is done, with the states it went
 * through, as one document of JSON. Polling is at its smallest interval, and among waiting jobs its
 * workers are given new ones without it.
 */
public final class JobRunrPeer implements QueueContestant {
  private static final int POLL_SECONDS = 5;
  private static final Map<Integer, Boolean> WORKED = new ConcurrentHashMap<>();
  private static final LongAdder TWICE = new LongAdder();
  private static final LongAdder DONE = new LongAdder();

  private final String jdbc;
  private final int filled;
  private final HikariDataSource pool;
  private final BackgroundJobServer server;

  JobRunrPeer(QueueSupply.Place place, int workers, int filled) throws Exception {
    this.filled = filled;
    WORKED.clear();
    TWICE.reset();
    DONE.reset();
    // Its transactions read before they write; unless they begin as writers, SQLite refuses them.
    jdbc =
        place.postgres()
            ? place.jdbc()
            : DbSchedulerPeer.durable(place.jdbc()) + "&transaction_mode=IMMEDIATE";
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbc);
    config.setMaximumPoolSize(
        place.postgres() ? workers + 4 : 2); // it holds one while it asks for another
    pool = new HikariDataSource(config);
    StorageProvider storage = SqlStorageProviderFactory.using(pool);
    JobRunr.configure()
        .useStorageProvider(storage)
        .useJobDetailsGenerator(new CachingJobDetailsGenerator())
        .useBackgroundJobServer(
            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                .andPollIntervalInSeconds(POLL_SECONDS)
                .andWorkerCount(workers),
            false)
        .initialize();
    server = JobRunr.getBackgroundJobServer();
    new JobScheduler(storage).enqueue(IntStream.range(0, filled).boxed(), i -> work(i));
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("ANALYZE");
    }
  }

  /** The job. */
  public static void work(int number) {
    if (WORKED.put(number, true) != null) TWICE.increment();
    DONE.increment();
  }

  @Override
  public void begin() {
    server.start();
  }

  @Override
  public long done() {
    return DONE.sum();
  }

  @Override
  public void end() {
    JobRunr.destroy();
  }

  @Override
  public Outcome outcome() throws Exception {
    pool.close();
    return new Outcome(
        filled,
        jobs("ENQUEUED"),
        jobs("PROCESSING"),
        jobs("SUCCEEDED"),
        WORKED.size(),
        TWICE.sum());
  }

  private long jobs(String state) throws Exception {
    return QueueSupply.count(
        jdbc, "SELECT count(*) FROM jobrunr_jobs WHERE state = '" + state + "'");
  }

  @Override
  public void close() {
    pool.close();
  }
}
