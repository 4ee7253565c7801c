package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FlowRoutesTest {
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

    private static String content(String name, String fields) {
      String text =
          "---\nname: " + name + "\nschedule: '@daily'\nprofile: reviewer\n" + fields + "---\nGo.";
      return JsonText.write(JsonObject.of("content", text));
    }

    @Test
    void a_person_adds_a_flow_runs_it_lets_it_rest_and_removes_it() {
      Answer added = post("/flows", content("nightly", ""));
      assertThat(added.status()).as(added.text()).isEqualTo(201);
      assertThat(added.header("Location")).isEqualTo("/flows/nightly");
      assertThat(added.json().text("work_dir")).isEqualTo(folder.toString());
      Answer run = post("/flows/nightly/run", "");
      assertThat(run.json().text("status")).isEqualTo("STARTED");
      assertThat(get("/flows/nightly").json().objects("runs")).hasSize(1);
      assertThat(get("/flows/nightly").json().list("next_runs")).hasSize(5);
      assertThat(send("PUT", "/flows/nightly/disable", "").json().get("enabled")).isEqualTo(false);
      assertThat(send("PUT", "/flows/nightly/enable", "").json().get("enabled")).isEqualTo(true);
      assertThat(send("DELETE", "/flows/nightly", "").status()).isEqualTo(200);
      assertThat(get("/flows/nightly").status()).isEqualTo(404);
    }

    @Test
    void flows_are_listed_in_parts() {
      for (String name : new String[] {"a", "b", "c"}) post("/flows", content(name, ""));
      JsonObject first = get("/flows?limit=2").json();
      assertThat(first.objects("items")).extracting(f -> f.text("name")).containsExactly("a", "b");
      assertThat(get("/flows?cursor=" + first.text("next")).json().objects("items"))
          .extracting(f -> f.text("name"))
          .containsExactly("c");
    }

    @Test
    void a_script_is_a_file_of_the_servers_own_project() throws Exception {
      Path script =
          Files.writeString(folder.resolve("no.sh"), "#!/bin/sh\necho '{\"execute\": false}'\n");
      assertThat(script.toFile().setExecutable(true)).isTrue();
      assertThat(post("/flows", content("own", "script: no.sh\n")).status()).isEqualTo(201);
      assertThat(post("/flows/own/run", "").json().text("status")).isEqualTo("DECLINED");
      for (String other : new String[] {"/bin/true", "sh -c 'echo x'", "../../bin/true"}) {
        Answer refused = post("/flows", content("other", "script: " + other + "\n"));
        assertThat(refused.status()).as(other).isEqualTo(400);
      }
      assertThat(get("/flows/other").status()).isEqualTo(404);
    }

    @Test
    void an_agent_runs_flows_and_makes_none() {
      String[] agent = {"Authorization", "Bearer " + token(Role.AGENT)};
      String[] viewer = {"Authorization", "Bearer " + token(Role.VIEWER)};
      post("/flows", content("nightly", ""));
      assertThat(post("/flows", content("own", ""), agent).status()).isEqualTo(403);
      assertThat(send("DELETE", "/flows/nightly", "", agent).status()).isEqualTo(403);
      assertThat(send("PUT", "/flows/nightly/disable", "", agent).status()).isEqualTo(403);
      assertThat(post("/flows/nightly/run", "", agent).status()).isEqualTo(200);
      assertThat(post("/flows/nightly/run", "", viewer).status()).isEqualTo(403);
      assertThat(get("/flows", viewer).status()).isEqualTo(200);
    }

    @Test
    void a_fault_of_the_text_is_told_with_its_line() {
      Answer refused = post("/flows", content("nightly", "missed: never\n"));
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.json().text("detail")).contains("content:5: ");
    }
  }
}
