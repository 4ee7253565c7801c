package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.store.Databases;
import dev.mainstay.store.ErasureTable.Found;
import dev.mainstay.store.Once;
import dev.mainstay.store.Raw;
import dev.mainstay.store.StateDirectoryTable.Known;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is forgotten in the store does not come back from files that nobody could rewrite. */
class ForgottenPagesTest {
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

  abstract static class Contract extends OnDirectory {
    private static final String LEAKED = "plum-orchard";
    private static final Erasure ERASURE = Erasure.of(LEAKED, List.of(), "b1b0");

    Contract(Databases database) {
      super(database);
    }

    /** As somebody does it who does not have the folder. */
    private Found forgottenElsewhere() {
      return store.inTransaction(
          Once.<Found>unkeyed(), tx -> tx.erasures().erase(ERASURE, Set.of(), ADA));
    }

    private List<String> rows() {
      return Raw.dump(store).stream().filter(row -> row.contains(LEAKED)).toList();
    }

    @Test
    void files_of_another_host_are_written_from_the_store_before_they_are_read()
        throws IOException {
      begun();
      save(PageName.CONTEXT, text(PageName.CONTEXT) + "\n## Notes\n\nsay " + LEAKED + "\n");
      edit(PageName.PLAN, "boil", "boil " + LEAKED);
      sync();
      assertThat(rows()).isNotEmpty();
      assertThat(forgottenElsewhere().unreached()).containsExactly(directories.get(folder));
      assertThat(directories.check(folder).toString()).contains("was forgotten");
      StateDirectories.Report report = quiet();
      assertThat(report.taken()).isZero();
      assertThat(report.findings().toString()).contains("was forgotten, so it was not read");
      assertThat(contents().values()).noneMatch(text -> text.contains(LEAKED));
      assertThat(text(PageName.CONTEXT)).contains("say " + ERASURE.mark());
      assertThat(labels()).contains("boil " + ERASURE.mark());
      assertThat(rows()).isEmpty();
      settled();
    }

    @Test
    void a_file_that_was_being_written_meanwhile_is_written_again() {
      begun();
      String id = directories.get(folder).id();
      String text = "say " + LEAKED;
      given(tx -> tx.stateDirectories().putFile(id, "plan.md", new Known("before", text)));
      forgottenElsewhere();
      given(tx -> tx.stateDirectories().written(id, "plan.md", text));
      assertThat(rows()).isEmpty();
      assertThat(store.reading(tx -> tx.stateDirectories().files(id)).get("plan.md").isForgotten())
          .isTrue();
      quiet();
    }

    @Test
    void folders_that_cannot_be_rewritten_are_named() throws IOException {
      begun();
      ForgottenPages pages = new ForgottenPages(store);
      StateDirectory here = directories.get(folder);
      StateDirectory there =
          new StateDirectory("another-host", "/srv/state", here.task(), here.execution());
      assertThat(pages.reached()).containsExactly(here.id());
      assertThat(pages.beyondReach(List.of(there)))
          .containsExactly("/srv/state on another-host, until 'mainstay exec sync' is run there");
      Files.move(file(PageName.PLAN), folder.resolve("own.md"));
      Files.createSymbolicLink(file(PageName.PLAN), folder.resolve("own.md"));
      assertThat(pages.reached()).isEmpty();
      assertThat(pages.beyondReach(List.of()).toString()).contains(folder + " (perhaps, as");
      Files.move(
          folder.resolve("own.md"), file(PageName.PLAN), StandardCopyOption.REPLACE_EXISTING);
      assertThat(pages.beyondReach(List.of())).isEmpty();
    }
  }
}
