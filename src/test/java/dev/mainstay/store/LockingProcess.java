package dev.mainstay.store;

import dev.mainstay.Pause;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;

/** Has one lock file in its first thread, and waits for another in a second one. */
final class LockingProcess {
  private LockingProcess() {}

  public static void main(String[] args) throws Exception {
    try (LockFile own = LockFile.open(Path.of(args[0]));
        LockFile other = LockFile.open(Path.of(args[1]));
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in))) {
      own.lock();
      System.out.println("has its own");
      told.readLine();
      Thread waiting = new Thread(() -> take(other));
      waiting.start();
      for (int i = 0; i < 200; i++) Pause.briefly(); // nothing tells that it waits in the kernel
      System.out.println("waits");
      told.readLine();
      own.unlock();
      waiting.join();
    }
  }

  private static void take(LockFile other) {
    try {
      other.lock();
      other.unlock();
      System.out.println("got it");
    } catch (Exception fault) {
      System.out.println(fault);
    }
  }
}
