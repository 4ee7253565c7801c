package dev.mainstay.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where log goes: as lines of JSON to standard error for the server, nowhere for all others. */
final class ServerLog {
  private static final String PROVIDER = "slf4j.provider";

  private ServerLog() {}

  /** Comes before anything else, because looking for providers takes time at each start. */
  static void choose(String[] args) {
    if (System.getProperty(PROVIDER) != null) return;
    System.setProperty("slf4j.internal.verbosity", "WARN"); // it would tell what it loads
    boolean server = args.length > 0 && args[0].equals("serve");
    System.setProperty(
        PROVIDER,
        server
            ? "ch.qos.logback.classic.spi.LogbackServiceProvider"
            : "org.slf4j.nop.NOPServiceProvider");
  }

  static void configure() {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) return;
    context.reset();
    JsonEncoder encoder = new JsonEncoder();
    encoder.setContext(context);
    encoder.setWithContext(false);
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.start();
    ConsoleAppender<ILoggingEvent> lines = new ConsoleAppender<>();
    lines.setContext(context);
    lines.setTarget("System.err");
    lines.setEncoder(encoder);
    lines.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(lines);
    context.getLogger("dev.mainstay").setLevel(Level.INFO);
  }
}
