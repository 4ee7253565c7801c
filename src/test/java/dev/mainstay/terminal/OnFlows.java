package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Flow;
import dev.mainstay.domain.FlowRun;
import dev.mainstay.domain.FlowRun.Status;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Store;
import dev.mainstay.terminal.FlowText.Source;
import dev.mainstay.terminal.Flows.Home;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of flows begin with: a folder, and agents that are written down. */
abstract class OnFlows extends OnDatabase {
  static final String DAILY = "name: report\nschedule: 0 9 * * *\nprofile: developer\n";

  @TempDir Path folder;
  final RecordedLaunches launched = new RecordedLaunches();
  Flows flows;

  OnFlows(Databases database) {
    super(database);
  }

  @BeforeEach
  void flows() {
    flows = flows(store, "here");
  }

  Flows flows(Store on, String host) {
    return new Flows(on, launched, new Home(host, folder));
  }

  NewFlow read(String fields, String body) {
    String text = "---\n" + fields + "---\n" + body + "\n";
    return FlowText.read(new Source("flow.md", text, folder, folder, ZoneOffset.UTC));
  }

  Flow add(String fields, String body) {
    return flows.add(read(fields, body), ADA);
  }

  /** A flow whose script does this, and whose body is this. */
  Flow scripted(String shell, String body) {
    script("decide.sh", shell);
    return add(DAILY + "script: ./decide.sh\n", body);
  }

  Path script(String name, String shell) {
    try {
      Path file = folder.resolve(name);
      Files.writeString(file, "#!/bin/sh\n" + shell + "\n");
      if (!file.toFile().setExecutable(true)) throw new IllegalStateException(name);
      return file;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Lets the clock stand at a moment that is still to come. */
  void at(String moment) {
    clock.advance(Duration.between(clock.instant(), Instant.parse(moment)));
  }

  FlowRun last(String name) {
    return flows.show(name).runs().get(0);
  }

  List<Status> statuses(String name) {
    return flows.show(name).runs().stream().map(run -> run.outcome().status()).toList();
  }

  List<String> kinds(String name) {
    return store.reading(
        tx ->
            tx.journal().stream(Flow.stream(name)).stream()
                .map(entry -> entry.content().kind())
                .toList());
  }

  static void refused(Code code, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(code);
              assertThat(refusal.sentence()).contains(words);
            });
  }
}
