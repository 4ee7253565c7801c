package dev.mainstay.faults;

import static dev.mainstay.faults.AskingWriter.Habit.FORGETFUL;
import static dev.mainstay.faults.AskingWriter.Habit.WITH_KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * The network between some writers and PostgreSQL is cut without a word, while others go on. {@code
 * -Dcuts=N} says how often.
 */
@Order(1)
class PartitionTest {
  private static final int CUTS = Integer.getInteger("cuts", 2);
  private static final int CUTS_MORE_MAX = 40;
  private static final Duration NO_PATIENCE = Duration.ofNanos(1);

  private CutProxy network;
  private Store apart;
  private Store near;
  private final Writers cutOff = new Writers();
  private final Writers others = new Writers();

  @BeforeEach
  void open() throws Exception {
    var address = (StoreAddress.Server) Databases.POSTGRESQL.fresh();
    near = Store.open(address, StoreSettings.DEFAULT);
    URI direct = URI.create(address.jdbcUrl().substring("jdbc:".length()));
    network = new CutProxy(direct.getPort());
    String through =
        "postgresql://postgres@localhost:%d%s?sslmode=disable&socketTimeout=1&schema=%s"
            .formatted(network.port(), direct.getPath(), address.schema());
    apart =
        Store.open(StoreAddress.parse(through), StoreSettings.DEFAULT.withPatience(NO_PATIENCE));
  }

  @AfterEach
  void close() throws Exception {
    network.heal();
    cutOff.abandon();
    others.abandon();
    apart.close();
    near.close();
    cutOff.end();
    others.end();
    network.close();
  }

  /** Until somebody who is cut off has been told so, while the others go on. */
  private void cutOnce() {
    cutOff.awaitMore(5);
    int told = cutOff.unheard();
    network.cut();
    KillablePostgres.await(
        "somebody is told", () -> cutOff.unheard() > told || !cutOff.wrongs().isEmpty());
    if (!others.all().isEmpty()) others.awaitMore(10);
    network.heal();
  }

  @Test
  void who_is_cut_off_is_told_so_and_each_write_is_there_once() throws Exception {
    for (int i = 0; i < 4; i++) cutOff.begin(new AskingWriter("apart-" + i, apart, WITH_KEY));
    for (int i = 0; i < 4; i++) others.begin(new AskingWriter("near-" + i, near, WITH_KEY));
    int cuts = 0;
    for (; cuts < CUTS || cutOff.unknown() == 0; cuts++) {
      assertThat(cuts).as("cuts before a commit was cut off").isLessThan(CUTS + CUTS_MORE_MAX);
      cutOnce();
      assertThat(cutOff.wrongs()).isEmpty();
      assertThat(others.wrongs()).isEmpty();
    }
    cutOff.end();
    others.end();
    System.out.printf(
        "partition: %d cuts, %d writes acknowledged, %d commits without an answer of which %d"
            + " were kept, %d pieces held up%n",
        cuts,
        cutOff.done() + others.done(),
        cutOff.unknown(),
        cutOff.keptUnheard(),
        network.held());
    assertThat(network.held()).isPositive();
    cutOff.all().addAll(others.all());
    WritersCheck.eachIsThereOnce(near, cutOff.all());
  }

  @Test
  void whoever_repeats_without_a_key_does_something_twice() {
    for (int i = 0; i < 4; i++) cutOff.begin(new AskingWriter("forgets-" + i, apart, FORGETFUL));
    for (int cuts = 0; !WritersCheck.isSomethingTwice(near); cuts++) {
      assertThat(cuts).as("cuts before something was done twice").isLessThan(CUTS_MORE_MAX);
      cutOnce();
      assertThat(cutOff.wrongs()).isEmpty();
    }
    assertThat(cutOff.unknown()).isPositive();
  }

  @Test
  void one_who_left_in_the_middle_keeps_nobody_for_ever() {
    String asked = "SELECT current_setting('idle_in_transaction_session_timeout') AS timeout";
    assertThat(Raw.texts(near, asked, "timeout")).containsExactly("1min");
  }

  @Test
  void who_only_makes_a_task_is_told_as_well() {
    network.cut();
    Call call = Call.by(Actor.agent("apart"), "test").withKey("one");
    assertThatThrownBy(() -> new Tasks(apart).create(NewTask.titled("one"), call))
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(Refusal.Code.STORE_UNAVAILABLE));
    network.heal();
    assertThat(WritersCheck.titles(near)).isEmpty();
  }
}
