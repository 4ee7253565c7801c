package dev.mainstay.store;

import dev.mainstay.Pause;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Position;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of both databases begin with: an empty store and a clock that stands still. */
public abstract class OnDatabase {
  public static final Call ADA = Call.by(Actor.person("ada"), "test");
  public static final Call BOT = Call.by(Actor.agent("bot"), "test");

  private final Databases database;
  protected final TestClock clock = new TestClock();
  private StoreAddress lent;
  protected StoreAddress address;
  protected Store store;

  protected OnDatabase(Databases database) {
    this.database = database;
  }

  @BeforeEach
  void openStore() {
    lent = database.lent();
    address = lent;
    store = open(address);
  }

  @AfterEach
  void closeStore() {
    store.close();
    database.giveBack(lent);
  }

  protected Databases database() {
    return database;
  }

  /** Another store object over the same data, as another process would have. */
  protected Store open(StoreAddress where) {
    return Store.open(where, StoreSettings.DEFAULT.withClock(clock));
  }

  /**
   * Waits until every entry written so far is settled. On PostgreSQL a transaction of any other
   * test on the same server holds the feed back while it runs.
   */
  protected void settle() {
    while (!isSettled()) Pause.briefly();
  }

  private boolean isSettled() {
    return store.reading(
        tx -> tx.journal().after(Position.BEGINNING, null, 100_000).size() == tx.journal().count());
  }

  /** Entries after a position are gone, as after a failover to a standby that lacked them. */
  protected void lose(Position after) {
    Tamper.with(store, "DELETE FROM journal WHERE seq > " + after.seq());
  }

  protected void given(Consumer<Tx> work) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          work.accept(tx);
          return "done";
        });
  }
}
