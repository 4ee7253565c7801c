package dev.mainstay.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The payloads that a listening connection has been sent. JDBC has no word for this and the
 * driver's own types carry annotations that are not part of this build, so they are called by name.
 */
final class PostgresNotices {
  private PostgresNotices() {}

  /** What has come, or what comes next within this time. */
  static List<String> await(Connection connection, int millisMax) throws SQLException {
    try {
      Class<?> listening = Class.forName("org.postgresql.PGConnection");
      Method notices = listening.getMethod("getNotifications", int.class);
      Method payload = Class.forName("org.postgresql.PGNotification").getMethod("getParameter");
      @Nullable Object found = notices.invoke(connection.unwrap(listening), millisMax);
      List<String> payloads = new ArrayList<>();
      if (!(found instanceof Object[] all)) return payloads;
      for (Object each : all) payloads.add(String.valueOf(payload.invoke(each)));
      return payloads;
    } catch (InvocationTargetException failed) {
      throw new SQLException(failed.getCause());
    } catch (ReflectiveOperationException changed) {
      throw new SQLException("this driver cannot listen", changed);
    }
  }
}
