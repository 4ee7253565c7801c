package dev.mainstay.faults;

import java.util.ArrayList;
import java.util.List;

/** Several who write at the same time, each in a thread of its own. */
final class Writers {
  private final List<AskingWriter> all = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  void begin(AskingWriter writer) {
    all.add(writer);
    Thread thread = new Thread(writer, writer.name());
    threads.add(thread);
    thread.start();
  }

  /** Each comes to the end of what it is at. */
  void end() throws InterruptedException {
    all.forEach(AskingWriter::stop);
    for (Thread each : threads) each.join();
  }

  /** Before their stores are closed, whatever they are at. */
  void abandon() {
    all.forEach(AskingWriter::abandon);
  }

  List<AskingWriter> all() {
    return all;
  }

  int done() {
    return all.stream().mapToInt(AskingWriter::done).sum();
  }

  int unknown() {
    return all.stream().mapToInt(AskingWriter::unknown).sum();
  }

  int unheard() {
    return all.stream().mapToInt(AskingWriter::unheard).sum();
  }

  int keptUnheard() {
    return all.stream().mapToInt(AskingWriter::keptUnheard).sum();
  }

  List<String> wrongs() {
    return all.stream().flatMap(each -> each.wrongs().stream()).toList();
  }

  /** Waits until so much more is acknowledged, or something is wrong. */
  void awaitMore(int count) {
    int wanted = done() + count;
    KillablePostgres.await("work goes on", () -> done() >= wanted || !wrongs().isEmpty());
  }
}
