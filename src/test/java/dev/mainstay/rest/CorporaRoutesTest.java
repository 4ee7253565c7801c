package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Corpora;
import dev.mainstay.Corpora.Case;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts that programs choke on, over HTTP: the same back, or refused with a sentence. */
class CorporaRoutesTest extends OnServer {
  private static final int EVERY = Integer.getInteger("every", 6);

  CorporaRoutesTest() {
    super(Databases.SQLITE);
  }

  private static List<String> texts() {
    List<String> all = new ArrayList<>(Corpora.naughtyStrings());
    all.addAll(Corpora.commonMark());
    return all;
  }

  private static List<String> withoutSecrets(List<String> texts) {
    return texts.stream().map(Redactor.DEFAULT::redact).toList();
  }

  @Test
  void all_of_them_at_once_come_back_the_same() {
    List<String> texts = texts();
    JsonObject asked = JsonObject.of("title", "all", "metadata", JsonObject.of("texts", texts));
    Answer made = post("/tasks", JsonText.write(asked));
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    JsonObject back = get("/tasks/" + made.json().text("id")).json();
    assertThat(back.object("metadata").texts("texts")).isEqualTo(withoutSecrets(texts));
  }

  @Test
  void each_as_a_title_and_a_description_comes_back_or_is_refused() {
    List<String> texts = texts();
    int taken = 0;
    for (int i = 0; i < texts.size(); i += EVERY) {
      String text = texts.get(i);
      JsonObject asked = JsonObject.of("title", "t" + text, "description", text);
      Answer made = post("/tasks", JsonText.write(asked));
      assertThat(made.status()).as(text).isIn(201, 400, 413);
      if (made.status() != 201) continue;
      taken++;
      JsonObject back = get("/tasks/" + made.json().text("id")).json();
      assertThat(back.text("description").strip())
          .as(text)
          .isEqualTo(Redactor.DEFAULT.redact(text).strip());
    }
    assertThat(taken).isPositive();
  }

  @Test
  void every_case_of_json_as_a_body_is_answered_and_no_fault_of_ours() {
    List<Case> cases = Corpora.json();
    for (int i = 0; i < cases.size(); i += EVERY) {
      Case each = cases.get(i);
      if (each.input().isEmpty()) continue;
      Answer answer = post("/tasks", each.input());
      assertThat(answer.status()).as(each.name()).isBetween(400, 499);
      assertThat(answer.json().text("detail")).as(each.name()).isNotBlank();
    }
  }
}
