package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewArtifact;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.Moment;
import dev.mainstay.state.Notebooks;
import dev.mainstay.state.TaskStates;
import dev.mainstay.state.TimeTravel;
import dev.mainstay.store.ClosedStream;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoredBytes;
import dev.mainstay.store.Tamper;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.NewMessage;
import dev.mainstay.terminal.NewTerminal;
import dev.mainstay.terminal.Terminals;
import dev.mainstay.upkeep.Forgetting.Report;
import dev.mainstay.workspace.DiskArtifacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Order(1)
class ForgettingTest {
  /** No redactor takes it for a secret, and JSON cannot hold it as it is. */
  private static final String SECRET = "the \"plum\" tree & süße\\n sons";

  private static final TaskId TASK = TaskId.of(1);

  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }

    @Test
    void what_another_server_writes_while_it_is_erased_is_not_set_back() throws Exception {
      String said = "UPDATE terminals SET status_reason = '%s %s' WHERE id = 'dev-1'";
      Raw.run(store, Phrase.of(said, "before", SECRET));
      ExecutorService thread = Executors.newSingleThreadExecutor();
      List<Future<Report>> forgetting = new ArrayList<>();
      try (Store other = open(address)) {
        Raw.keptOnceAwaited(
            other,
            Phrase.of(said, "after", SECRET),
            () -> forgetting.add(thread.submit(() -> forgotten(SECRET, ADA))));
        String mark = forgetting.get(0).get().mark();
        assertThat(Raw.texts(store, "SELECT status_reason FROM terminals", "status_reason"))
            .containsExactly("after " + mark);
      } finally {
        thread.shutdownNow();
      }
    }

    @Test
    void an_archive_asks_once_what_was_forgotten() throws IOException {
      forgotten(SECRET, ADA);
      var header = new Archive.Header("epoch", clock.instant(), 2, 2);
      List<Long> scans =
          store.reading(
              tx -> {
                Path file = folder.resolve("archive.gz");
                // What this connection did before may be counted still, so only differences tell.
                long before = Raw.scans(tx, "journal");
                try (ArchiveWriter writer = new ArchiveWriter(tx, file, header)) {
                  long begun = Raw.scans(tx, "journal");
                  for (int task = 1; task <= 2; task++) {
                    writer.stream(new ClosedStream(ClosedStream.Kind.TASK, "T-00" + task));
                  }
                  return List.of(begun - before, Raw.scans(tx, "journal") - begun);
                } catch (IOException fault) {
                  throw new UncheckedIOException(fault);
                }
              });
      assertThat(scans).containsExactly(1L, 2L);
    }
  }

  abstract static class Contract extends OnDatabase {
    @TempDir Path folder;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void aSecretThatSlippedThrough() {
      Tasks tasks = new Tasks(store);
      tasks.create(NewTask.titled("log in with " + SECRET), ADA.withKey("first"));
      tasks.create(NewTask.titled("another"), ADA);
      tasks.update(
          TASK, JsonObject.of("metadata", JsonObject.of(SECRET, List.of(SECRET))), null, ADA);
      TaskStates states = new TaskStates(store);
      states.setPlan(TASK, List.of("say " + SECRET, "say it again"), ADA);
      states.addDirective(TASK, "never say " + SECRET, true, ADA);
      Notebooks notebooks = new Notebooks(store);
      for (int i = 0; i < 3; i++) {
        notebooks.merge(TASK, NotebookDelta.of(Section.DECISIONS, SECRET + " " + i), ADA);
      }
      new Checkpoints(store).save(TASK, "before", ADA);
      var artifacts = new Artifacts(store, DiskArtifacts.below(store, folder));
      artifacts.add(TASK, NewArtifact.text(ArtifactType.LOG, "line\n" + SECRET + "\n"), ADA);
      new Terminals(store).register(NewTerminal.external("dev-1"), ADA);
      new Inbox(store).send(NewMessage.to("dev-1", "use " + SECRET), ADA);
    }

    private Forgetting forgetting() {
      return new Forgetting(
          store, new OwnFiles(Set::of, store.ownFiles()), new NoPages(), Forgetting.Copies.NONE);
    }

    Report forgotten(String text, Call call) {
      return forgetting().apply(text, call);
    }

    private List<String> findings(Store in) {
      return Verification.of(in).findings().stream()
          .map(f -> f.where() + ": " + f.problem())
          .toList();
    }

    private List<String> rows() {
      return Raw.dump(store).stream().filter(row -> row.contains("plum")).toList();
    }

    @Test
    void it_is_gone_from_every_row_and_the_chains_still_verify() {
      assertThat(rows()).hasSizeGreaterThan(12);
      Report report = forgotten(SECRET, ADA);
      assertThat(report.isComplete()).isTrue();
      assertThat(rows()).isEmpty();
      var verified = Verification.of(store);
      assertThat(verified.findings()).isEmpty();
      assertThat(verified.erased()).isEqualTo(report.stood().rows().get("journal")).isPositive();
      assertThat(verified.sentence()).contains("entries with something forgotten");
      assertThat(new Notebooks(store).show(TASK, ADA.actor()).toString())
          .contains(report.mark() + " 2");
    }

    @Test
    void the_bytes_of_the_database_do_not_have_it_either() {
      StoredBytes bytes = StoredBytes.of(store, address);
      assertThat(bytes.count("plum")).isPositive();
      Notebooks notebooks = new Notebooks(store);
      for (int i = 0; i < 40; i++) { // so that old rows are left in pages that are free again
        notebooks.merge(TASK, NotebookDelta.of(Section.NEXT_FOCUS, i + " " + SECRET), ADA);
      }
      assertThat(forgotten(SECRET, ADA).beyond().left()).isNull();
      assertThat(bytes.count("plum")).isZero();
      assertThat(bytes.count("forgotten-")).isPositive();
    }

    @Test
    void only_what_was_cut_off_in_it_is_taken_for_its_beginning() {
      String leaked = "postgresql-seven-dwarfs";
      Tasks tasks = new Tasks(store);
      Task other = tasks.create(NewTask.titled("Migrate the store to postgres"), ADA);
      Notebooks notebooks = new Notebooks(store);
      String note = "y".repeat(Notebook.NOTE_CHARS_MAX - 11);
      notebooks.merge(TASK, NotebookDelta.of(Section.DECISIONS, note + leaked), ADA);
      assertThat(forgetting().plan("store/forgotten-dwarfs", ADA).isNothing()).isTrue();
      Report plan = forgetting().plan(leaked, ADA);
      assertThat(plan.stood().rows()).containsOnlyKeys("journal", "dossiers");
      assertThat(plan.stood().cut()).containsOnlyKeys("dossiers");
      Report done = forgotten(leaked, ADA);
      assertThat(done.stood().cut()).isEqualTo(plan.stood().cut());
      assertThat(Raw.dump(store)).noneMatch(row -> row.contains("postgresql"));
      assertThat(tasks.show(other.id()).title()).isEqualTo("Migrate the store to postgres");
      assertThat(findings(store)).isEmpty();
      assertThat(forgetting().plan(leaked, ADA).isNothing()).isTrue();
    }

    @Test
    void a_look_changes_nothing_and_tells_what_would_be_found() {
      List<String> before = Raw.dump(store);
      Report plan = forgetting().plan(SECRET, ADA);
      assertThat(Raw.dump(store)).isEqualTo(before);
      assertThat(plan.stood().rows()).containsKeys("journal", "tasks", "dossiers", "inbox");
      Report done = forgotten(SECRET, ADA);
      assertThat(done.stood().rows().keySet()).isEqualTo(plan.stood().rows().keySet());
      assertThat(forgetting().plan(SECRET, ADA).isNothing()).isTrue();
    }

    @Test
    void no_agent_makes_mainstay_forget() {
      assertThatThrownBy(() -> forgotten(SECRET, BOT)).isInstanceOf(Refusal.class);
      assertThatThrownBy(() -> forgetting().plan(SECRET, BOT)).isInstanceOf(Refusal.class);
      assertThatThrownBy(() -> forgetting().textAt("task/T-001", 1, "title", BOT))
          .isInstanceOf(Refusal.class);
      assertThat(rows()).isNotEmpty();
    }

    @Test
    void the_same_key_gives_the_same_answer_and_not_for_another_text() {
      Report first = forgotten(SECRET, ADA.withKey("k"));
      assertThat(forgotten(SECRET, ADA.withKey("k"))).isEqualTo(first);
      assertThatThrownBy(() -> forgotten("another text", ADA.withKey("k")))
          .isInstanceOf(Refusal.class);
      assertThat(entriesOf(Erasure.STREAM)).isEqualTo(1);
    }

    private int entriesOf(String stream) {
      return store.reading(tx -> tx.journal().stream(stream).size());
    }

    @Test
    void it_is_noted_who_forgot_and_never_what() {
      forgotten(SECRET, ADA);
      var entry = store.reading(tx -> tx.journal().stream(Erasure.STREAM)).get(0);
      assertThat(entry.origin().actor()).isEqualTo(ADA.actor());
      assertThat(entry.content().payload()).contains("task/T-001").doesNotContain("plum");
    }

    @Test
    void an_erased_entry_that_is_changed_again_or_put_back_is_found() {
      String was = Raw.texts(store, "SELECT payload FROM journal WHERE seq = 1", "payload").get(0);
      forgotten(SECRET, ADA);
      String is = Raw.texts(store, "SELECT payload FROM journal WHERE seq = 1", "payload").get(0);
      assertThat(findings(store)).isEmpty();
      Tamper.with(store, "UPDATE journal SET payload = '{}' WHERE seq = 1");
      assertThat(findings(store)).anyMatch(f -> f.contains("payload does not fit"));
      Tamper.with(store, "UPDATE journal SET payload = '" + was + "' WHERE seq = 1");
      assertThat(findings(store)).anyMatch(f -> f.contains("payload does not fit"));
      Tamper.with(store, "UPDATE journal SET payload = '" + is + "' WHERE seq = 1");
      assertThat(findings(store)).isEmpty();
      Tamper.with(store, "UPDATE journal SET payload = '{}' WHERE stream = 'store/forgotten'");
      assertThat(findings(store)).anyMatch(f -> f.startsWith("task/T-001"));
    }

    @Test
    void no_one_else_rewrites_a_payload() {
      forgotten(SECRET, ADA);
      assertThatThrownBy(() -> Raw.run(store, "UPDATE journal SET payload = '{}' WHERE seq = 1"))
          .hasMessageContaining("append-only");
    }

    @Test
    void a_store_with_something_forgotten_can_be_rebuilt_backed_up_and_replayed() {
      Report report = forgotten(SECRET, ADA);
      StoreAddress.File rebuilt = new StoreAddress.File(folder.resolve("rebuilt.sqlite3"));
      assertThat(Rebuild.into(store, rebuilt).kept()).isEmpty();
      try (Store made = open(rebuilt)) {
        assertThat(findings(made)).isEmpty();
        assertThat(Verification.of(made).erased()).isEqualTo(report.stood().rows().get("journal"));
      }
      new Upkeep(store, address).backup(folder.resolve("backup.sqlite3"));
      var then = new TimeTravel(store).at(TASK, Moment.entry(7));
      assertThat(then.toString()).contains(report.mark());
    }

    @Test
    void what_was_forgotten_may_leave_into_an_archive() {
      Leases leases = new Leases(store);
      Task held = leases.hold(TaskId.of(2), "bot", Duration.ofMinutes(5), BOT);
      leases.fail(TaskId.of(2), "no luck with " + SECRET, BOT.withFence(held.fence()));
      forgotten(SECRET, ADA);
      clock.advance(Duration.ofDays(40));
      settle();
      Path file = folder.resolve("archive.jsonl.gz");
      assertThat(new Retention(store).apply(Duration.ofDays(30), file).left()).isPositive();
      assertThat(ArchiveFile.read(file, ArchiveFile.Reader.NOBODY).streams()).isNotEmpty();
      assertThat(findings(store)).isEmpty();
    }

    @Test
    void what_is_part_of_a_name_is_told_and_stays() {
      new Terminals(store).register(NewTerminal.external("mallory-plum"), ADA);
      Report report = forgotten("mallory-plum", ADA);
      assertThat(report.beyond().names()).containsKeys("terminals.id", "journal.stream");
      assertThat(report.isComplete()).isFalse();
      assertThat(findings(store)).isEmpty();
    }

    @Test
    void the_text_may_be_named_by_where_it_stands() {
      String text = forgetting().textAt("task/T-001", 1, "title", ADA);
      assertThat(text).isEqualTo("log in with " + SECRET);
      assertThatThrownBy(() -> forgetting().textAt("task/T-001", 99, "title", ADA))
          .hasMessageContaining("no entry 99");
      assertThatThrownBy(() -> forgetting().textAt("task/T-001", 1, "nothing.0", ADA))
          .hasMessageContaining("is no text");
    }

    @Test
    void a_name_that_is_only_text_goes_with_the_rest() {
      new Checkpoints(store).save(TASK, "with plum-orchard", ADA);
      String mark = forgotten("plum-orchard", ADA).mark();
      assertThat(Raw.dump(store)).noneMatch(row -> row.contains("plum-orchard"));
      assertThat(new Checkpoints(store).list(TASK).toString()).contains("with " + mark);
      assertThat(findings(store)).isEmpty();
    }

    @Test
    void two_secrets_leave_two_marks() {
      Notebooks notebooks = new Notebooks(store);
      notebooks.merge(TASK, NotebookDelta.of(Section.OPEN_ISSUES, "key alpha-one"), ADA);
      notebooks.merge(TASK, NotebookDelta.of(Section.OPEN_ISSUES, "key omega-two"), ADA);
      String one = forgotten("alpha-one", ADA).mark();
      String two = forgotten("omega-two", ADA).mark();
      assertThat(one).isNotEqualTo(two);
      assertThat(findings(store)).isEmpty();
      assertThat(notebooks.show(TASK, ADA.actor()).toString()).contains("key " + one, "key " + two);
    }
  }

  static final class NoPages implements Forgetting.StateFiles {
    @Override
    public Set<String> reached() {
      return Set.of();
    }

    @Override
    public long around(Erasure erasure, Consumer<Set<String>> work) {
      work.accept(Set.of());
      return 0;
    }

    @Override
    public long holding(Erasure erasure) {
      return 0;
    }

    @Override
    public Set<String> beyondReach(Collection<StateDirectory> unreached) {
      return Set.of();
    }
  }
}
