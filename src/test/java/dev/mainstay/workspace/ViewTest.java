package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.Workspace.Story;
import dev.mainstay.json.JsonText;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ViewTest {
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
  }

  abstract static class Contract extends OnWorkspace {
    Contract(Databases database) {
      super(database);
    }

    private Path view() {
      return root.resolve(".mainstay/repostate.json");
    }

    private void theViewIsTheState() throws IOException {
      assertThat(Files.isRegularFile(view(), LinkOption.NOFOLLOW_LINKS)).isTrue();
      assertThat(RepoState.fromJson(JsonText.object(Files.readString(view()))))
          .isEqualTo(RepoState.fromJson(tracker.state().toJson()));
    }

    @Test
    void it_is_written_after_every_change() throws IOException {
      tracker.scan();
      theViewIsTheState();
      write("a.txt", "1");
      theViewIsTheState();
      put("b.txt", "1");
      sawWrite("b.txt", ONE);
      theViewIsTheState();
      tracker.beginStory(ONE.value(), ADA);
      theViewIsTheState();
      tracker.setTasks(List.of(new OpenTask("do it", OpenTask.Status.PENDING, 1)), ADA);
      theViewIsTheState();
      new TaskStates(store).setPlan(ONE, List.of("first"), ADA);
      tracker.scan();
      theViewIsTheState();
      assertThat(tracker.state().openTasks()).hasSize(2);
    }

    @Test
    void whatever_became_of_it_it_is_written_anew_and_never_believed() throws IOException {
      tracker.scan();
      String whole = Files.readString(view());
      Files.delete(view());
      tracker.scan();
      assertThat(view()).hasContent(whole);
      Files.writeString(view(), whole.substring(0, whole.length() / 2));
      tracker.snapshot();
      assertThat(view()).hasContent(whole);
      Files.writeString(view(), whole.replace("old.txt", "lie.txt"));
      assertThat(files(Tracker.open(store, root))).containsExactly("old.txt unchanged");
      tracker.drain();
      tracker.scan();
      assertThat(view()).hasContent(whole);
      Path outside = Files.writeString(temp.resolve("outside.json"), whole);
      Files.delete(view());
      Files.createSymbolicLink(view(), outside);
      tracker.scan();
      theViewIsTheState();
      Files.writeString(view().resolveSibling("repostate.json.new"), "left by a dead writer");
      write("a.txt", "1");
      theViewIsTheState();
      assertThat(outside).hasContent(whole);
    }

    @Test
    void a_store_that_has_nothing_takes_story_and_tasks_over_and_keeps_the_file()
        throws IOException {
      tracker.beginStory("hello-001", ADA);
      tracker.setTasks(List.of(new OpenTask("do it", OpenTask.Status.IN_PROGRESS, 7)), ADA);
      String left = Files.readString(view());
      try (Store fresh = open(database().fresh())) {
        Tracker other = trusting(fresh);
        String shown = other.snapshot().text();
        assertThat(shown).contains("Story: hello-001", "[in_progress] do it");
        assertThat(other.state().openTasks())
            .containsExactly(new OpenTask("do it", OpenTask.Status.IN_PROGRESS, 7));
        assertThat(kept()).containsExactly(left);
        other.setTasks(List.of(), ADA);
        assertThat(trusting(fresh).state().openTasks()).isEmpty();
      }
    }

    @Test
    void a_file_made_by_hand_is_taken_over_and_a_damaged_one_is_kept() throws IOException {
      Files.createDirectories(view().getParent());
      String made = "{\"open_tasks\": [{\"description\": \"write docs\"}]}";
      Files.writeString(view(), made);
      try (Store fresh = open(database().fresh())) {
        assertThat(trusting(fresh).snapshot().text()).contains("write docs");
      }
      assertThat(kept()).containsExactly(made);
      try (Store fresh = open(database().fresh())) {
        Files.writeString(view(), "{ broken");
        trusting(fresh).scan();
        assertThat(kept()).containsExactlyInAnyOrder(made, "{ broken");
      }
    }

    @Test
    void a_file_in_a_folder_that_is_not_trusted_is_kept_and_not_taken_over() throws IOException {
      String foreign = "{\"story_id\": \"T-666\", \"open_tasks\": [{\"description\": \"run it\"}]}";
      Files.writeString(view(), foreign);
      try (Store fresh = open(database().fresh())) {
        Tracker other = Tracker.open(fresh, root, folder -> !folder.equals(view().getParent()));
        assertThat(other.snapshot().text()).doesNotContain("T-666", "run it");
        assertThat(other.workspace().story()).isEqualTo(Story.NONE);
        assertThat(kept()).containsExactly(foreign);
      }
    }

    private Tracker trusting(Store fresh) {
      return Tracker.open(fresh, root, folder -> folder.equals(view().getParent()));
    }

    private List<String> kept() throws IOException {
      try (var files = Files.list(view().getParent())) {
        List<String> texts = new ArrayList<>();
        for (Path each : (Iterable<Path>) files::iterator) {
          if (each.getFileName().toString().startsWith("repostate.before-")) {
            texts.add(Files.readString(each));
          }
        }
        return texts;
      }
    }

    @Test
    void it_is_left_alone_while_nothing_changes() throws IOException {
      // A file so young that it must be read again would be news.
      Files.setLastModifiedTime(root.resolve("old.txt"), FileTime.from(OnFiles.LONG_AGO));
      tracker.snapshot();
      Object inode = Files.getAttribute(view(), "unix:ino");
      Object time = Files.getLastModifiedTime(view());
      tracker.snapshot();
      tracker.scan();
      Tracker.open(store, root).scan();
      write("old.txt", "old");
      assertThat(Files.getAttribute(view(), "unix:ino")).isEqualTo(inode);
      assertThat(Files.getLastModifiedTime(view())).isEqualTo(time);
    }

    @Test
    void one_who_looks_at_one_file_does_not_undo_what_another_saw_of_the_rest() {
      put("a.txt", "1");
      put("b.txt", "1");
      try (Store elsewhere = open(address)) {
        Tracker other = Tracker.open(elsewhere, root);
        tracker.scan();
        other.scan();
        put("a.txt", "2");
        put("c.txt", "1");
        other.scan();
        put("b.txt", "2");
        sawWrite("b.txt", ONE);
        assertThat(hashOf(other, "a.txt")).isEqualTo(hash("2"));
        assertThat(hashOf(other, "b.txt")).isEqualTo(hash("2"));
        put("a.txt", "3");
        other.scan();
        write("b.txt", "3");
        assertThat(hashOf(other, "a.txt")).isEqualTo(hash("3"));
        assertThat(files(other))
            .containsExactly(
                "a.txt modified", "b.txt modified", "c.txt created", "old.txt unchanged");
      }
    }

    @Test
    void many_processes_on_one_folder_lose_nothing() throws Exception {
      tracker.scan();
      AtomicInteger number = new AtomicInteger();
      Both.atOnce(
          4,
          () -> {
            int me = number.incrementAndGet();
            try (Store mine = open(address)) {
              Tracker of = Tracker.open(mine, root);
              for (int i = 0; i < 5; i++) {
                String path = me + "-" + i + ".txt";
                if (i % 2 == 0) put(path, "x");
                else new FileWrites(of).write(wanted(path, "x", null, null), ADA);
                of.scan();
              }
              return me;
            }
          });
      assertThat(files(tracker)).hasSize(21);
      assertThat(tracker.verify().differences()).isEmpty();
      theViewIsTheState();
    }
  }
}
