package dev.mainstay.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafeFilesTest {
  private static final List<String> SCRIPTS = HostileTree.SCRIPTS;
  private static final String HELLO_HASH =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  @TempDir Path folder;
  private HostileTree hostile;
  private Path root;
  private SafeFiles files;

  @BeforeEach
  void build() throws IOException {
    hostile = HostileTree.in(folder);
    root = hostile.root();
    files = new SafeFiles(SafeTree.at(root));
  }

  private SafeFiles.Seen put(String path, String content) {
    return files.replace(new RepoPath(path), content.getBytes(UTF_8), SafeFiles.newTempName());
  }

  private String read(String path) {
    return new String(files.read(new RepoPath(path), 1_000), UTF_8);
  }

  /** The sentence of the refusal, the same for looking, reading and replacing. */
  private String refused(String path) {
    RepoPath there = new RepoPath(path);
    Refusal looked = refusal(() -> files.look(there));
    assertThat(looked.code()).isEqualTo(Refusal.Code.INVALID);
    assertThat(refusal(() -> files.read(there, 10))).hasMessage(looked.getMessage());
    assertThat(refusal(() -> put(path, "x"))).hasMessage(looked.getMessage());
    return looked.sentence();
  }

  private static Refusal refusal(Runnable call) {
    Refusal refused = catchThrowableOfType(Refusal.class, call::run);
    assertThat(refused).as("a refusal").isNotNull();
    return refused;
  }

  private void noTempsLeft() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      assertThat(all.map(each -> each.getFileName().toString()).filter(SafeFiles::isTemp))
          .isEmpty();
    }
  }

  @Test
  void what_was_written_is_there_and_is_seen_as_it_was_reported() throws IOException {
    SafeFiles.Seen written = put("src/new.txt", "hello");
    assertThat(written.hash()).isEqualTo(HELLO_HASH);
    assertThat(written.size()).isEqualTo(5);
    assertThat(files.look(new RepoPath("src/new.txt"))).contains(written);
    assertThat(root.resolve("src/new.txt")).hasContent("hello");
    assertThat(read("src/new.txt")).isEqualTo("hello");
    assertThat(put("src/new.txt", "").size()).isZero();
    assertThat(read("src/new.txt")).isEmpty();
    noTempsLeft();
  }

  @Test
  void a_file_or_folder_that_is_not_there_is_nothing_to_see() {
    assertThat(files.look(new RepoPath("none"))).isEmpty();
    assertThat(files.look(new RepoPath("no/such/folder/none"))).isEmpty();
    assertThat(refusal(() -> files.read(new RepoPath("no/none"), 10)).code())
        .isEqualTo(Refusal.Code.NOT_FOUND);
  }

  @Test
  void missing_folders_are_made_with_the_usual_permissions() throws IOException {
    put("a/b/c/new.txt", "hello");
    Path usual = Files.createDirectory(root.resolve("usual"));
    Path usualFile = Files.createFile(usual.resolve("file"));
    for (String made : List.of("a", "a/b", "a/b/c")) {
      assertThat(permissions(made)).isEqualTo(Files.getPosixFilePermissions(usual));
    }
    assertThat(permissions("a/b/c/new.txt")).isEqualTo(Files.getPosixFilePermissions(usualFile));
    assertThat(root.resolve(".mainstay")).doesNotExist();
    noTempsLeft();
  }

  private Set<PosixFilePermission> permissions(String path) throws IOException {
    return Files.getPosixFilePermissions(root.resolve(path), LinkOption.NOFOLLOW_LINKS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxr-xr-x", "rw-r-----", "r--r--r--", "rw-------", "rwxrwxrwx"})
  void the_permissions_of_a_file_are_kept(String mode) throws IOException {
    Path file = root.resolve("decoy.txt");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    put("decoy.txt", "changed");
    assertThat(PosixFilePermissions.toString(permissions("decoy.txt"))).isEqualTo(mode);
    assertThat(file).hasContent("changed");
  }

  @ParameterizedTest
  @FieldSource("SCRIPTS")
  void names_of_every_script_are_written_and_found(String name) {
    put(name, "file");
    put("folders/" + name + "/" + name, "deeper");
    assertThat(read(name)).isEqualTo("file");
    assertThat(read("folders/" + name + "/" + name)).isEqualTo("deeper");
  }

  @ParameterizedTest
  @CsvSource({
    "readme.md, README.md",
    "stra\u00dfe, STRASSE",
    "\u0131k, IK",
    "\ud55c\uae00, \u1112\u1161\u11ab\u1100\u1173\u11af",
    "\u1112\u1161\u11ab\u1100\u1173\u11af, \ud55c\uae00",
    "\u00e9t\u00e9, e\u0301te\u0301",
    "\u041f\u0420\u0418, \u043f\u0440\u0438",
    "\u03c3\u03bf\u03c2, \u03a3\u039f\u03a3",
    "\ufb01le, file",
    "\u212a, k"
  })
  void a_name_that_differs_only_by_case_or_normalisation_is_refused(String there, String asked)
      throws IOException {
    Files.writeString(root.resolve(there), "there");
    Files.createDirectory(root.resolve("in"));
    Files.createDirectory(root.resolve("in/" + there));
    assertThat(refused(asked)).contains("case or normalisation", there);
    assertThat(refused("in/" + asked + "/file")).contains("in/" + there);
    assertThat(root.resolve(asked)).doesNotExist();
    assertThat(read(there)).isEqualTo("there");
    Files.writeString(root.resolve(asked), "both are there, so each means itself");
    assertThat(read(asked)).startsWith("both");
  }

  @Test
  void nothing_is_done_to_links_folders_pipes_sockets_and_devices() throws Exception {
    hostile.links().loops().pipes().socket();
    var before = HostileTree.fingerprint(folder);
    for (String link : List.of("link-to-file", "link-to-folder", "link-dangling", "loop-self")) {
      assertThat(refused(link)).startsWith(link + " is a symbolic link");
    }
    assertThat(refused("src")).startsWith("src is a folder");
    assertThat(refused("pipe")).startsWith("pipe is a FIFO");
    assertThat(refused("socket")).startsWith("socket is a socket");
    assertThat(refused("link-to-folder/decoy.txt"))
        .startsWith("link-to-folder is a symbolic link, not a folder");
    assertThat(refused("link-inside/decoy.txt")).startsWith("link-inside is a symbolic link");
    assertThat(refused("src/loop-up/decoy.txt")).startsWith("src/loop-up is a symbolic link");
    assertThat(refused("decoy.txt/below")).startsWith("decoy.txt is a file, not a folder");
    assertThat(refused("src/pipe.txt/below")).startsWith("src/pipe.txt is a FIFO, not a folder");
    assertThat(HostileTree.fingerprint(folder)).isEqualTo(before);
  }

  @Test
  void a_device_is_refused() {
    var devices = new SafeFiles(SafeTree.at(Path.of("/dev")));
    assertThat(refusal(() -> devices.read(new RepoPath("null"), 10)))
        .hasMessageStartingWith("null is a device");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../outside/decoy.txt",
        "src/../../outside/decoy.txt",
        "/etc/passwd",
        "a\u0000b",
        "a\nb",
        ".git/config",
        "src/.GIT/config",
        ".mainstay/state.sqlite3"
      })
  void a_path_that_leads_elsewhere_cannot_even_be_named(String path) {
    assertThatThrownBy(() -> new RepoPath(path)).isInstanceOf(Refusal.class);
  }

  @Test
  void a_file_with_other_names_is_read_but_not_replaced() throws IOException {
    hostile.hardLinks();
    assertThat(read("hard-one")).isEqualTo("two names");
    assertThat(files.look(new RepoPath("hard-two"))).isPresent();
    assertThat(refusal(() -> put("hard-one", "x"))).hasMessageContaining("hard links");
    assertThat(refusal(() -> put("hard-outside", "x"))).hasMessageContaining("hard links");
    assertThat(read("hard-two")).isEqualTo("two names");
    assertThat(hostile.outside().resolve("decoy.txt")).hasContent(HostileTree.SECRET);
  }

  @Test
  void too_much_is_refused_before_it_is_held() throws IOException {
    hostile.sparse();
    RepoPath sparse = new RepoPath("sparse.bin");
    assertThat(refusal(() -> files.read(sparse, SafeFiles.CONTENT_BYTES_MAX)).code())
        .isEqualTo(Refusal.Code.TOO_LARGE);
    assertThat(refusal(() -> files.look(sparse)).code()).isEqualTo(Refusal.Code.TOO_LARGE);
    byte[] most = new byte[SafeFiles.CONTENT_BYTES_MAX];
    String temp = SafeFiles.newTempName();
    assertThat(files.replace(new RepoPath("most"), most, temp).size()).isEqualTo(most.length);
    assertThat(files.read(new RepoPath("most"), most.length)).isEqualTo(most);
    assertThat(refusal(() -> files.read(new RepoPath("most"), most.length - 1)).code())
        .isEqualTo(Refusal.Code.TOO_LARGE);
    byte[] tooMuch = new byte[SafeFiles.CONTENT_BYTES_MAX + 1];
    assertThat(refusal(() -> files.replace(new RepoPath("x"), tooMuch, temp)).code())
        .isEqualTo(Refusal.Code.TOO_LARGE);
  }

  @Test
  void the_plain_files_of_a_hostile_tree_are_found_and_replaced_and_nothing_else_changes()
      throws Exception {
    var outside = HostileTree.fingerprint(hostile.everything().outside());
    hostile
        .plain()
        .forEach(
            (path, content) -> {
              assertThat(read(path)).isEqualTo(content);
              put(path, "new " + path);
              assertThat(read(path)).isEqualTo("new " + path);
            });
    assertThat(HostileTree.fingerprint(hostile.outside())).isEqualTo(outside);
    noTempsLeft();
  }

  @Test
  void names_that_are_no_utf8_disturb_nobody() throws Exception {
    hostile.names();
    put("odd/new.txt", "hello");
    assertThat(read("odd/new.txt")).isEqualTo("hello");
    assertThat(files.look(new RepoPath("odd/none"))).isEmpty();
  }

  @Test
  void what_a_crash_left_behind_is_discarded_and_nothing_else() throws IOException {
    String temp = SafeFiles.newTempName();
    Files.writeString(root.resolve("src").resolve(temp), "half");
    Files.createDirectory(root.resolve(temp));
    assertThat(refusal(() -> files.replace(new RepoPath("src/x"), new byte[1], temp)).code())
        .isEqualTo(Refusal.Code.CONFLICT);
    assertThat(refusal(() -> files.replace(new RepoPath("new/x"), new byte[1], temp)).code())
        .isEqualTo(Refusal.Code.CONFLICT);
    files.discard(new RepoPath("src/decoy.txt"), temp);
    files.discard(new RepoPath("src/decoy.txt"), temp);
    files.discard(new RepoPath("no/such/folder/x"), temp);
    noTempsLeft();
    assertThat(read("src/decoy.txt")).isEqualTo("inside, too");
  }

  @Test
  void names_of_temporary_files_are_known_and_kept_for_them() {
    String temp = SafeFiles.newTempName();
    assertThat(SafeFiles.isTemp(temp)).isTrue();
    assertThat(SafeFiles.isTemp(".mainstay-notes.tmp")).isFalse();
    assertThat(SafeFiles.newTempName()).isNotEqualTo(temp);
    assertThat(refusal(() -> put("src/" + temp, "x")).code()).isEqualTo(Refusal.Code.INVALID);
    assertThatThrownBy(() -> files.replace(new RepoPath("x"), new byte[0], "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void an_interrupted_thread_leaves_the_old_file_and_nothing_else() throws IOException {
    Thread.currentThread().interrupt();
    Refusal refused = refusal(() -> put("src/decoy.txt", "x"));
    assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
    assertThat(refused).hasMessageContaining("interrupted");
    assertThat(read("src/decoy.txt")).isEqualTo("inside, too");
    noTempsLeft();
    Thread.currentThread().interrupt();
    assertThat(refusal(() -> read("src/decoy.txt"))).hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void a_read_only_folder_keeps_its_file_and_says_so() throws IOException {
    Path locked = root.resolve("src");
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeThat(Files.isWritable(locked)).as("root may write everywhere").isFalse();
    for (String path : List.of("src/decoy.txt", "src/new.txt", "src/new/file.txt")) {
      Refusal refused = refusal(() -> put(path, "x"));
      assertThat(refused.code()).isEqualTo(Refusal.Code.READ_ONLY);
      assertThat(refused).hasMessageContaining("its folder is read-only");
    }
    assertThat(read("src/decoy.txt")).isEqualTo("inside, too");
    noTempsLeft();
  }
}
