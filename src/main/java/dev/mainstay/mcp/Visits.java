package dev.mainstay.mcp;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.session.Places;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who is connected. A connection's session is opened with its first call, and seen alive with each
 * one; what was handed to its reader has arrived once he comes back.
 */
final class Visits {
  /** Of those, the ones that were silent for longest are forgotten; they are opened again. */
  static final int CONNECTIONS_MAX = 10_000;

  /** So many answers of a connection are remembered for requests that are sent again. */
  static final int ANSWERS_MAX = 8;

  private final Rooms rooms;
  private final Map<Guest, Known> known = Visits.<Guest, Known>bounded(CONNECTIONS_MAX);

  Visits(Rooms rooms) {
    this.rooms = rooms;
  }

  /** What is remembered of a connection. */
  private static final class Known {
    private final String session;
    private final Set<Long> handed = new TreeSet<>();
    private final Map<Request, Reply> answers = Visits.<Request, Reply>bounded(ANSWERS_MAX);

    Known(String session) {
      this.session = session;
    }
  }

  /** A request as it is known again. */
  record Request(String key, String tool, String arguments) {}

  static <K, V> Map<K, V> bounded(int most) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
      }
    };
  }

  Visit enter(Asking asking) {
    Guest guest = asking.guest();
    if (!guest.mayWrite()) return new Visit(rooms, asking, null);
    Call call = Call.by(Actor.agent(guest.agent()), Visit.SOURCE);
    AgentSession session = session(guest, call);
    if (session.hasEnded()) session = rooms.sessions().ended(session.id(), false);
    arrived(guest, session);
    return new Visit(rooms, asking, session);
  }

  private AgentSession session(Guest guest, Call call) {
    Known before = find(guest);
    if (before != null) {
      try {
        return rooms.sessions().current(before.session, call);
      } catch (Refusal gone) {
        // A session that was archived is opened again.
        if (gone.code() != Refusal.Code.NOT_FOUND) throw gone;
        forget(guest);
      }
    }
    var host = new Host(guest.agent(), guest.connection(), guest.terminal());
    var opened = rooms.sessions().open(host, Places.around(guest.folder()), call);
    remember(guest, opened);
    return opened;
  }

  /** Keeps the lease of a connection that called before; one that never did holds nothing. */
  void alive(Guest guest) {
    Known before = find(guest);
    if (before == null) return;
    try {
      rooms.sessions().current(before.session, Call.by(Actor.agent(guest.agent()), Visit.SOURCE));
    } catch (Refusal gone) {
      if (gone.code() != Refusal.Code.NOT_FOUND) throw gone;
      forget(guest);
    }
  }

  private synchronized @Nullable Known find(Guest guest) {
    return known.get(guest);
  }

  private synchronized void forget(Guest guest) {
    known.remove(guest);
  }

  private synchronized void remember(Guest guest, AgentSession session) {
    known.computeIfAbsent(guest, each -> new Known(session.id()));
  }

  /** Messages that are on their way to the reader of this connection. */
  synchronized void handed(Guest guest, Collection<Long> messages) {
    Known of = known.get(guest);
    if (of != null) of.handed.addAll(messages);
  }

  synchronized Set<Long> handed(Guest guest) {
    Known of = known.get(guest);
    return of == null ? Set.of() : Set.copyOf(of.handed);
  }

  /** The reader is back, so he has them; what he does not get to know comes again. */
  private void arrived(Guest guest, AgentSession session) {
    Call call = Call.by(Actor.agent(session.holder()), Visit.SOURCE);
    // Each by itself: one that went elsewhere meanwhile must not bring the others back.
    for (Long message : taken(guest)) {
      try {
        rooms.inbox().acknowledge(session.holder(), List.of(message), call);
      } catch (Refusal overtaken) {
        continue;
      }
    }
  }

  private synchronized List<Long> taken(Guest guest) {
    Known of = known.get(guest);
    if (of == null || of.handed.isEmpty()) return List.of();
    List<Long> messages = new ArrayList<>(of.handed);
    of.handed.clear();
    return messages;
  }

  synchronized @Nullable Reply answered(Guest guest, Request request) {
    Known of = known.get(guest);
    return of == null ? null : of.answers.get(request);
  }

  synchronized void answer(Guest guest, Request request, Reply reply) {
    Known of = known.get(guest);
    if (of != null) of.answers.put(request, reply);
  }

  /** A request that is sent again then is answered by the store, which knows its key. */
  synchronized void clearAnswers() {
    for (Known each : known.values()) each.answers.clear();
  }
}
