package dev.mainstay.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ArtifactRoutesTest {
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

    private Answer text(String task, String type, String content, String... headers) {
      String body = "{\"artifact_type\": \"" + type + "\", \"content\": \"" + content + "\"}";
      return post("/tasks/" + task + "/artifacts", body, headers);
    }

    private Answer file(String task, String path) {
      String body = "{\"artifact_type\": \"CODE\", \"file_path\": \"" + path + "\"}";
      return post("/tasks/" + task + "/artifacts", body);
    }

    @Test
    void a_text_is_handed_over_and_fetched_as_it_was() {
      String id = task("one");
      Answer added = text(id, "test_result", "12 passed");
      assertThat(added.status()).isEqualTo(201);
      assertThat(added.json().text("content_hash")).isEqualTo(JournalEntry.sha256("12 passed"));
      assertThat(added.json().text("artifact_type")).isEqualTo("TEST_RESULT");
      Answer fetched = get(added.header("Location"));
      assertThat(fetched.json())
          .isEqualTo(added.json().with("verified", true).with("content", "12 passed"));
      assertThat(get("/tasks/" + id + "/artifacts").json().objects("items"))
          .containsExactly(added.json());
    }

    @Test
    void a_file_that_was_changed_is_a_conflict_that_tells_both_hashes() throws IOException {
      String id = task("one");
      Path file = Files.writeString(folder.resolve("login.py"), "first");
      Answer added = file(id, "login.py");
      assertThat(added.json().text("file_path")).isEqualTo(file.toRealPath().toString());
      assertThat(get(added.header("Location")).json().text("content")).isEqualTo("first");
      Files.writeString(file, "second");
      Answer changed = get(added.header("Location"));
      assertThat(changed.status()).isEqualTo(409);
      assertThat(changed.json().text("detail"))
          .contains(JournalEntry.sha256("first"))
          .contains(JournalEntry.sha256("second"));
    }

    /** Else an agent could ask which files of the server's user exist. */
    @Test
    void a_refusal_tells_nothing_about_files_outside_of_the_servers_folder() throws IOException {
      String id = task("one");
      Path parent = folder.getParent();
      Path there = Files.writeString(folder.resolveSibling(folder.getFileName() + ".txt"), "x");
      try {
        for (String name : List.of(there.getFileName().toString(), "none.txt", "none/none.txt")) {
          Answer refused = file(id, parent.resolve(name).toString());
          assertThat(refused.status()).isEqualTo(400);
          assertThat(refused.json().text("detail").replace(parent.resolve(name).toString(), "FILE"))
              .isEqualTo("FILE is outside of the server's folder; hand over a file below it");
        }
      } finally {
        Files.delete(there);
      }
    }

    @Test
    void a_file_outside_of_the_servers_folder_is_refused() throws IOException {
      String id = task("one");
      Path outside = Files.writeString(folder.resolveSibling(folder.getFileName() + ".txt"), "x");
      try {
        assertThat(file(id, outside.toString()).status()).isEqualTo(400);
        assertThat(file(id, "../" + outside.getFileName()).status()).isEqualTo(400);
        Files.createSymbolicLink(folder.resolve("link"), outside);
        assertThat(file(id, "link").status()).isBetween(400, 409);
        assertThat(get("/tasks/" + id + "/artifacts").json().list("items")).isEmpty();
      } finally {
        Files.delete(outside);
      }
    }

    @Test
    void what_is_no_text_or_large_comes_without_its_content() throws IOException {
      String id = task("one");
      Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, 0, 1});
      JsonObject binary = get(file(id, "binary").header("Location")).json();
      assertThat(binary.has("content")).isFalse();
      assertThat(binary.get("verified")).isEqualTo(true);
      Files.write(folder.resolve("large"), new byte[ArtifactRoutes.CONTENT_BYTES_MAX + 1]);
      JsonObject large = get(file(id, "large").header("Location")).json();
      assertThat(large.has("content")).isFalse();
      assertThat(large.get("verified")).isEqualTo(false);
    }

    @Test
    void whatever_it_is_it_is_sent_as_a_file_that_no_browser_shows() throws IOException {
      String id = task("one");
      byte[] large = "<html>".repeat(ArtifactRoutes.CONTENT_BYTES_MAX / 5).getBytes(UTF_8);
      Path written = Files.write(folder.resolve("large.html"), large);
      String place = file(id, "large.html").header("Location") + "/content";
      for (int i = 0; i <= ArtifactRoutes.READERS_MAX; i++) { // each gives its place back
        Answer sent = get(place);
        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.text().getBytes(UTF_8)).isEqualTo(large);
        assertThat(sent.header("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(sent.header("Content-Disposition")).isEqualTo("attachment");
        assertThat(sent.header("X-Content-Type-Options")).isEqualTo("nosniff");
      }
      Files.writeString(written, "changed");
      for (int i = 0; i <= ArtifactRoutes.READERS_MAX; i++) {
        assertThat(get(place).status()).isEqualTo(409);
      }
      assertThat(get("/tasks/" + id + "/artifacts/99/content").status()).isEqualTo(404);
    }

    @Test
    void an_unexpected_hash_and_neither_or_both_of_file_and_text_are_refused() {
      String id = task("one");
      String path = "/tasks/" + id + "/artifacts";
      String expected = JournalEntry.sha256("something else");
      Answer other =
          post(
              path,
              "{\"artifact_type\": \"LOG\", \"content\": \"x\", \"content_hash\": \""
                  + expected
                  + "\"}");
      assertThat(other.status()).isEqualTo(409);
      assertThat(other.json().text("detail")).contains(expected);
      assertThat(post(path, "{\"artifact_type\": \"LOG\"}").status()).isEqualTo(400);
      String both = "{\"artifact_type\": \"LOG\", \"content\": \"x\", \"file_path\": \"y\"}";
      assertThat(post(path, both).status()).isEqualTo(400);
      assertThat(get(path + "/999").status()).isEqualTo(404);
      assertThat(get(path + "/first").status()).isEqualTo(400);
    }

    @Test
    void five_results_are_handed_to_the_reviewer_at_once() {
      List<String> tasks = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        String id = task("endpoint " + i);
        tasks.add(id);
        text(id, "CODE", "code " + i);
        if (i == 0) text(id, "LOG", "log");
      }
      String all = String.join(",", tasks);
      JsonObject code = get("/artifacts?tasks=" + all + "&type=CODE").json();
      assertThat(code.objects("artifacts"))
          .extracting(each -> each.text("task_id"))
          .containsExactlyElementsOf(tasks);
      assertThat(code.object("counts").asMap().values()).hasSize(5).containsOnly(1L);
      JsonObject everything = get("/artifacts?tasks=" + all).json();
      assertThat(everything.object("counts").number(tasks.get(0))).isEqualTo(2);
      assertThat(get("/artifacts").status()).isEqualTo(400);
      assertThat(get("/artifacts?tasks=" + all + ",T-999").status()).isEqualTo(404);
    }

    @Test
    void an_agent_needs_its_fence_and_a_viewer_hands_over_nothing() {
      String id = task("one");
      String agent = "Bearer " + token(Role.AGENT);
      JsonObject held =
          post("/tasks/claim", "{}", "Authorization", agent).json().objects("tasks").get(0);
      assertThat(text(id, "CODE", "x", "Authorization", agent).code()).isEqualTo("lease_lost");
      String fence = Long.toString(held.number("fence"));
      Answer good = text(id, "CODE", "x", "Authorization", agent, "Mainstay-Fence", fence);
      assertThat(good.status()).isEqualTo(201);
      String viewer = "Bearer " + token(Role.VIEWER);
      assertThat(text(id, "CODE", "x", "Authorization", viewer).status()).isEqualTo(403);
      assertThat(get(good.header("Location"), "Authorization", viewer).status()).isEqualTo(200);
    }
  }
}
