package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.FileStatus;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.json.JsonText;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RepoStateTest {
  private static final FileMeta CREATED = file("b.go", FileStatus.CREATED);
  private static final FileMeta GONE = new FileMeta("a.go", null, 0, NOON, FileStatus.DELETED);
  private static final OpenTask FIRST = task("first", 1);
  private static final OpenTask SECOND = new OpenTask("second", OpenTask.Status.IN_PROGRESS, 2);

  private static FileMeta file(String path, FileStatus status) {
    return new FileMeta(path, "0a".repeat(32), 12, NOON.minusSeconds(5), status);
  }

  private static OpenTask task(String description, int priority) {
    return new OpenTask(description, OpenTask.Status.PENDING, priority);
  }

  private static RepoState state(String story, List<FileMeta> files, List<OpenTask> tasks) {
    return new RepoState("/repo", story, files, tasks, NOON);
  }

  private static List<OpenTask> tasks(int many) {
    return IntStream.range(0, many).mapToObj(i -> task("task " + i, i)).toList();
  }

  @Test
  void files_are_sorted_by_path_and_tasks_by_priority() {
    RepoState state = state("T-001", List.of(CREATED, GONE), List.of(SECOND, FIRST));
    assertThat(state.files()).containsExactly(GONE, CREATED);
    assertThat(state.openTasks()).containsExactly(FIRST, SECOND);
  }

  @Test
  void what_was_deleted_is_known_and_not_there() {
    RepoState state = state(null, List.of(CREATED, GONE), List.of());
    assertThat(state.present()).containsExactly(CREATED);
    assertThat(GONE.isThere()).isFalse();
    assertThat(file("c", FileStatus.UNCHANGED).isThere()).isTrue();
    assertThat(CREATED.type().name()).isEqualTo("go");
  }

  @Test
  void a_snapshot_comes_back_from_its_text() {
    for (FileStatus status : FileStatus.values()) {
      RepoState state =
          state("a story", List.of(file("x.java", status), GONE), List.of(FIRST, SECOND));
      String text = JsonText.write(state.toJson());
      assertThat(RepoState.fromJson(JsonText.object(text))).isEqualTo(state);
    }
    RepoState bare = state(null, List.of(), List.of());
    assertThat(RepoState.fromJson(bare.toJson())).isEqualTo(bare);
  }

  @Test
  void a_snapshot_has_the_documents_words() {
    JsonObject json = state("s", List.of(CREATED), List.of(SECOND)).toJson();
    assertThat(json.text("work_dir")).isEqualTo("/repo");
    assertThat(json.text("story_id")).isEqualTo("s");
    assertThat(json.text("last_updated")).isEqualTo(Times.write(NOON));
    assertThat(json.objects("files"))
        .containsExactly(
            JsonObject.of("path", "b.go", "hash", "0a".repeat(32), "size", 12)
                .with("mod_time", Times.write(NOON.minusSeconds(5)))
                .with("type", "go")
                .with("status", "created"));
    assertThat(json.objects("open_tasks"))
        .containsExactly(
            JsonObject.of("description", "second", "status", "in_progress", "priority", 2));
  }

  @Test
  void a_task_is_open_until_it_is_completed() {
    assertThat(FIRST.isOpen()).isTrue();
    assertThat(SECOND.isOpen()).isTrue();
    assertThat(new OpenTask("third", OpenTask.Status.COMPLETED, 3).isOpen()).isFalse();
    assertThat(OpenTask.Status.parse("In_Progress")).isEqualTo(OpenTask.Status.IN_PROGRESS);
    assertThatThrownBy(() -> task(" ", 1)).isInstanceOf(Refusal.class);
  }

  @Test
  void a_story_has_its_limits_in_a_snapshot_and_in_a_workspace() {
    int most = RepoState.OPEN_TASKS_MAX;
    assertThat(state(null, List.of(), tasks(most)).openTasks()).hasSize(most);
    assertThat(new Workspace.Story("s", tasks(most)).tasks()).hasSize(most);
    List<OpenTask> more = tasks(most + 1);
    String sentence = "a story has at most 200 open tasks, not 201; put some of them together";
    assertThatThrownBy(() -> state(null, List.of(), more))
        .isInstanceOf(Refusal.class)
        .hasMessage(sentence);
    assertThatThrownBy(() -> new Workspace.Story("s", more))
        .isInstanceOf(Refusal.class)
        .hasMessage(sentence);
    assertThat(state(" s ", List.of(), List.of()).storyId()).isEqualTo("s");
    assertThat(new Workspace.Story(" s ", List.of()).id()).isEqualTo("s");
    assertThatThrownBy(() -> state("x".repeat(129), List.of(), List.of()))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Workspace.Story("x".repeat(129), List.of()))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void a_storys_task_is_the_one_whose_id_it_has() {
    assertThat(new Workspace.Story("T-012", List.of()).task()).contains(TaskId.of(12));
    assertThat(new Workspace.Story("t-12", List.of()).task()).isEmpty();
    assertThat(Workspace.Story.NONE.task()).isEmpty();
    var told = new Workspace.Story("T-012", List.of(FIRST));
    assertThat(told.with(List.of(SECOND))).isEqualTo(new Workspace.Story("T-012", List.of(SECOND)));
  }

  @Test
  void the_same_place_has_the_same_id_and_another_host_or_folder_another() {
    var here = new Workspace.Place("host", "/repo");
    assertThat(here.id()).matches("w-[0-9a-f]{12}");
    assertThat(new Workspace.Place(" host ", "/repo").id()).isEqualTo(here.id());
    assertThat(new Workspace.Place("other", "/repo").id()).isNotEqualTo(here.id());
    assertThat(new Workspace.Place("host", "/other").id()).isNotEqualTo(here.id());
    assertThat(Workspace.stream(here.id())).isEqualTo("workspace/" + here.id());
  }
}
