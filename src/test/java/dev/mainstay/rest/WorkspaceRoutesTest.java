package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Workspace.Place;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WorkspaceRoutesTest {
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
    private Path work;
    private String workspace;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void aWorkspace() throws IOException {
      work = Files.createDirectory(folder.resolve("work")).toRealPath();
      Files.writeString(work.resolve("readme.md"), "hello\n");
      workspace = rooms.workspace(work).workspace().id();
    }

    private Answer write(String path, String body, String... headers) {
      return send("PUT", "/workspaces/" + workspace + "/files/" + path, body, headers);
    }

    @Test
    void the_workspaces_of_this_host_are_listed_and_no_others() {
      given(tx -> tx.workspaces().open(new Place("elsewhere", "/srv/app"), "00"));
      Answer listed = get("/workspaces");
      assertThat(listed.json().objects("items"))
          .extracting(each -> each.text("work_dir"))
          .containsExactly(work.toString());
      String other = new Place("elsewhere", "/srv/app").id();
      assertThat(post("/workspaces/" + other + "/scan", "{}").status()).isEqualTo(404);
      assertThat(post("/workspaces/w-000000000000/scan", "{}").status()).isEqualTo(404);
    }

    @Test
    void a_scan_tells_what_became_of_files_and_may_begin_a_story() throws IOException {
      String id = task("one");
      Answer first = post("/workspaces/" + workspace + "/scan", "{\"story\": \"" + id + "\"}");
      assertThat(first.json().number("files")).isEqualTo(1);
      assertThat(first.json().number("added")).isEqualTo(1);
      Files.writeString(work.resolve("new.md"), "new\n");
      Answer second = post("/workspaces/" + workspace + "/scan", "");
      assertThat(second.json().number("added")).isEqualTo(1);
      assertThat(get("/workspaces").json().objects("items").get(0).text("story_id")).isEqualTo(id);
    }

    @Test
    void a_snapshot_shows_the_files_and_begins_no_story() {
      String path = "/workspaces/" + workspace + "/snapshot";
      Answer shown = get(path);
      assertThat(shown.status()).isEqualTo(200);
      assertThat(shown.json().text("text")).contains("readme.md");
      assertThat(shown.json().object("state").objects("files"))
          .extracting(each -> each.text("path"))
          .containsExactly("readme.md");
      Answer other = get(path + "?story=T-001");
      assertThat(other.status()).isEqualTo(409);
      assertThat(other.json().text("detail")).contains("/scan");
      post("/workspaces/" + workspace + "/scan", "{\"story\": \"T-001\"}");
      assertThat(get(path + "?story=T-001").status()).isEqualTo(200);
      String viewer = "Bearer " + token(Role.VIEWER);
      assertThat(get(path, "Authorization", viewer).status()).isEqualTo(403);
      assertThat(get("/workspaces", "Authorization", viewer).status()).isEqualTo(200);
    }

    @Test
    void a_file_is_written_once_however_often_it_is_asked_for() throws IOException {
      String body = "{\"content\": \"class App {}\"}";
      Answer made = write("src/main/App.java", body);
      assertThat(made.status()).isEqualTo(200);
      assertThat(made.json().get("changed")).isEqualTo(true);
      assertThat(made.json().text("path")).isEqualTo("src/main/App.java");
      assertThat(made.json().text("hash")).isEqualTo(JournalEntry.sha256("class App {}"));
      assertThat(work.resolve("src/main/App.java")).hasContent("class App {}");
      Answer again = write("src/main/App.java", body);
      assertThat(again.json().get("noop")).isEqualTo(true);
      assertThat(again.json().text("message")).contains("take the next step");
      assertThat(write("a%20b/c%2Bd.txt", "{\"content\": \"\"}").json().text("path"))
          .isEqualTo("a b/c+d.txt");
    }

    @Test
    void a_version_that_was_not_seen_is_not_overwritten() {
      assertThat(write("a.txt", "{\"content\": \"1\", \"expect\": \"absent\"}").status())
          .isEqualTo(200);
      Answer there = write("a.txt", "{\"content\": \"2\", \"expect\": \"absent\"}");
      assertThat(there.status()).isEqualTo(409);
      assertThat(work.resolve("a.txt")).hasContent("1");
      String seen = JournalEntry.sha256("1").substring(0, 6);
      String body = "{\"content\": \"2\", \"expect\": \"" + seen + "\"}";
      assertThat(write("a.txt", body).status()).isEqualTo(200);
      Answer none = write("a.txt", "{\"content\": \"3\", \"expect\": \"newest\"}");
      assertThat(none.status()).isEqualTo(400);
    }

    @Test
    void nothing_outside_of_the_workspace_can_be_named() throws IOException {
      String body = "{\"content\": \"x\"}";
      for (String path :
          new String[] {"%2e%2e/x", "a/%2e%2e/%2e%2e/x", ".git/config", ".mainstay/x", "%2Fx"}) {
        assertThat(write(path, body).status()).as(path).isBetween(400, 405);
      }
      Files.createSymbolicLink(work.resolve("out"), folder);
      assertThat(write("out/x", body).status()).isEqualTo(400);
      assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void a_folder_that_became_a_link_is_no_workspace_any_more() throws IOException {
      Path other = Files.createDirectory(folder.resolve("other"));
      Files.move(work, folder.resolve("moved"));
      assertThat(write("x", "{\"content\": \"x\"}").status()).isEqualTo(409);
      Files.createSymbolicLink(work, other);
      assertThat(write("x", "{\"content\": \"x\"}").status()).isEqualTo(409);
      assertThat(other).isEmptyDirectory();
      assertThat(rooms.workspaces()).hasSize(1);
    }

    private JsonObject claimed(String... headers) {
      return post("/tasks/claim", "{\"worker\": \"coder-1\"}", headers)
          .json()
          .objects("tasks")
          .get(0);
    }

    @Test
    void what_is_reserved_for_one_task_is_not_written_for_another() {
      String mine = task("mine");
      claimed();
      String path = "/tasks/" + mine + "/reservations";
      String body = "{\"workspace\": \"" + workspace + "\", \"patterns\": [\"src\"]}";
      Answer made = post(path, body);
      assertThat(made.status()).isEqualTo(200);
      assertThat(get(path).json().list("items")).isEqualTo(made.json().list("items"));
      Answer refused = write("src/a", "{\"content\": \"x\"}");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().text("detail")).contains(mine);
      String forMine = "{\"content\": \"x\", \"task\": \"" + mine + "\"}";
      assertThat(write("src/a", forMine).status()).isEqualTo(200);
      String other = task("other");
      claimed();
      assertThat(post("/tasks/" + other + "/reservations", body).status()).isEqualTo(409);
      assertThat(get("/tasks/" + other + "/reservations").json().list("items")).isEmpty();
      String release = path + "?pattern=src&workspace=" + workspace;
      assertThat(send("DELETE", release, "").status()).isEqualTo(200);
      assertThat(send("DELETE", release, "").status()).isEqualTo(404);
      assertThat(send("DELETE", path + "?pattern=src", "").status()).isEqualTo(400);
      assertThat(write("src/a", "{\"content\": \"y\"}").status()).isEqualTo(200);
    }

    @Test
    void an_agent_writes_and_reserves_for_its_task_with_its_fence_alone() {
      String id = task("one");
      String agent = "Bearer " + token(Role.AGENT);
      String fence = Long.toString(claimed("Authorization", agent).number("fence"));
      String[] stale = {"Authorization", agent};
      String[] good = {"Authorization", agent, "Mainstay-Fence", fence};
      String content = "{\"content\": \"x\", \"task\": \"" + id + "\"}";
      String patterns = "{\"workspace\": \"" + workspace + "\", \"patterns\": [\"src\"]}";
      String path = "/tasks/" + id + "/reservations";
      assertThat(write("a", content, stale).code()).isEqualTo("lease_lost");
      assertThat(work.resolve("a")).doesNotExist();
      assertThat(write("a", content, good).status()).isEqualTo(200);
      assertThat(write("a", "{\"content\": \"x\"}", good).status()).isEqualTo(400);
      assertThat(post(path, patterns, stale).code()).isEqualTo("lease_lost");
      assertThat(post(path, patterns, good).status()).isEqualTo(200);
    }
  }
}
