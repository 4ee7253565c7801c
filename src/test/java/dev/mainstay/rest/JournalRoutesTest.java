package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import dev.mainstay.upkeep.Journal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class JournalRoutesTest {
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

  abstract static class Contract extends OnServer {
    Contract(Databases database) {
      super(database);
    }

    /** Every entry that is found, page by page. */
    private List<String> places(String query) {
      settle();
      List<String> places = new ArrayList<>();
      String path = "/journal?limit=2" + query;
      while (true) {
        Answer answer = get(path);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        for (JsonObject entry : answer.json().objects("items")) {
          places.add(entry.text("stream") + "#" + entry.number("number"));
        }
        String link = answer.header("Link");
        if (link.isEmpty()) return places;
        path = link.substring(1, link.indexOf('>'));
      }
    }

    private void threeTasks() {
      for (String title : List.of("one", "two", "three")) task(title);
      send("PATCH", "/tasks/T-002", "{\"priority\": 9}");
      send("PATCH", "/tasks/T-001", "{\"priority\": 9}");
    }

    @Test
    void the_newest_come_first_when_that_is_asked_for() {
      threeTasks();
      List<String> oldest = places("");
      List<String> newest = places("&order=newest");
      Collections.reverse(newest);
      assertThat(newest).isEqualTo(oldest).hasSize(5);
      assertThat(get("/journal?order=random").status()).isEqualTo(400);
    }

    @Test
    void entries_are_found_by_kind_actor_and_stream() {
      threeTasks();
      assertThat(places("&kind=task.updated")).containsExactly("task/T-002#2", "task/T-001#2");
      assertThat(places("&kind=task")).hasSize(5);
      assertThat(places("&kind=tas")).isEmpty();
      assertThat(places("&stream=task/T-001")).containsExactly("task/T-001#1", "task/T-001#2");
      assertThat(places("&stream=task/T-001&kind=task.updated")).containsExactly("task/T-001#2");
      assertThat(places("&stream=terminal")).isEmpty();
      assertThat(places("&actor=person:ada")).hasSize(5);
      assertThat(places("&actor=ada")).hasSize(5);
      assertThat(places("&actor=person&order=newest&kind=task.updated"))
          .containsExactly("task/T-001#2", "task/T-002#2");
      assertThat(places("&actor=agent")).isEmpty();
    }

    @Test
    void a_search_that_finds_nothing_for_long_says_where_to_look_on() {
      String id = task("one");
      var stream = "task/" + id;
      var noise = new TaskEvent.Updated(JsonObject.of("priority", 1));
      given(
          tx -> {
            List<TaskEvent> many = Collections.nCopies(Journal.LOOKED_MAX + 10, noise);
            tx.journal().append(stream, ADA, many);
          });
      settle();
      JsonObject first = get("/journal?kind=nothing").json();
      assertThat(first.list("items")).isEmpty();
      assertThat(first.text("next")).isNotBlank();
      JsonObject second = get("/journal?kind=nothing&cursor=" + first.text("next")).json();
      assertThat(second.list("items")).isEmpty();
      assertThat(second.textOrNull("next")).isNull();
    }

    @Test
    void a_task_s_journal_begins_at_any_entry_and_says_which_is_the_last() {
      String id = task("one");
      for (int i = 1; i <= 4; i++) {
        send("PATCH", "/tasks/" + id, "{\"priority\": " + i + "}");
      }
      settle();
      JsonObject part = get("/tasks/" + id + "/journal?from=3&limit=2").json();
      assertThat(part.objects("items")).extracting(e -> e.number("number")).containsExactly(3L, 4L);
      assertThat(part.number("last")).isEqualTo(5);
      String on = "/tasks/" + id + "/journal?limit=2&cursor=" + part.text("next");
      assertThat(get(on).json().objects("items"))
          .extracting(e -> e.number("number"))
          .containsExactly(5L);
      assertThat(get("/tasks/" + id + "/journal?from=9").json().list("items")).isEmpty();
      assertThat(get("/tasks/" + id + "/journal").json().number("last")).isEqualTo(5);
      assertThat(get(on + "&from=1").status()).isEqualTo(400);
      assertThat(get("/tasks/T-999/journal?from=1").status()).isEqualTo(404);
    }

    @Test
    void the_whole_journal_is_a_file_with_an_entry_a_line() {
      String id = task("one");
      var noise = new TaskEvent.Updated(JsonObject.of("priority", 1));
      given(tx -> tx.journal().append("task/" + id, ADA, Collections.nCopies(1_200, noise)));
      settle();
      Answer file = get("/journal/export", "Authorization", "Bearer " + token(Role.VIEWER));
      assertThat(file.status()).isEqualTo(200);
      assertThat(file.header("Content-Type")).startsWith("application/x-ndjson");
      assertThat(file.header("Content-Disposition")).contains("mainstay-journal.ndjson");
      List<JsonObject> entries = file.text().lines().map(JsonText::object).toList();
      assertThat(entries).hasSizeGreaterThanOrEqualTo(1_201);
      assertThat(entries.get(0).text("kind")).isEqualTo("task.created");
      assertThat(entries).extracting(e -> e.text("hash")).doesNotHaveDuplicates();
      assertThat(send("HEAD", "/journal/export", "").text()).isEmpty();
    }
  }
}
