package dev.mainstay.store;

import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Store.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Use cases about different tasks that are asked for at the same time go to the database together,
 * as many commits cost more than one for many. Nobody waits for company: who comes while nobody is
 * under way goes at once, and those who come meanwhile go together after that, first come first.
 */
final class Company {
  private static final int TOGETHER_MAX = 32;

  /** As often whoever leads lets others go first: those who were woken with it come now, too. */
  private static final int YIELDS = 3;

  private final Store store;
  private final Consumer<List<Member<?>>> way;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private boolean underWay;

  /** Somebody on the way, or before it; what is settled counts only once the way is gone. */
  private static final class Waiting {
    private final Member<?> member;
    private final Condition news;
    private boolean back;

    Waiting(Member<?> member, Condition news) {
      this.member = member;
      this.news = news;
    }
  }

  /** The way is gone once for each group; who is not settled by it goes alone. */
  Company(Store store, Consumer<List<Member<?>>> way) {
    this.store = store;
    this.way = way;
  }

  <T> Outcome<T> go(@Nullable TaskId task, Attempt<T> attempt) {
    Member<T> member = new Member<>(task, attempt);
    Waiting me = new Waiting(member, lock.newCondition());
    lock.lock();
    try {
      waiting.addLast(me);
      while (!me.back) {
        if (underWay) me.news.awaitUninterruptibly();
        else lead();
      }
    } finally {
      lock.unlock();
    }
    // Outside of the way, so that nobody waits for one who has to wait for somebody.
    if (!member.isSettled()) member.runAlone(store);
    return member.settled().get();
  }

  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Goes with all who wait; the lock is free meanwhile. */
  private void lead() {
    underWay = true;
    gather();
    List<Waiting> group = next();
    lock.unlock();
    try {
      List<Member<?>> members = new ArrayList<>();
      for (Waiting each : group) members.add(each.member);
      way.accept(members);
    } finally {
      lock.lock();
      underWay = false;
      for (Waiting each : group) {
        each.back = true;
        each.news.signal();
      }
      Waiting first = waiting.peekFirst();
      if (first != null) first.news.signal();
    }
  }

  /**
   * Workers who were given tasks by one commit end them at about the same time. The first of them
   * would go alone and all others after it; so they are let run, and nobody waits who is alone.
   */
  private void gather() {
    for (int i = 0; i < YIELDS; i++) {
      lock.unlock();
      Thread.yield();
      lock.lock();
    }
  }

  /** Those who came first, one for each task: the second must see what the first has done. */
  private List<Waiting> next() {
    List<Waiting> group = new ArrayList<>();
    Set<TaskId> tasks = new HashSet<>();
    for (Waiting each : waiting) {
      if (group.size() == TOGETHER_MAX) break;
      TaskId task = each.member.task();
      if (task == null || tasks.add(task)) group.add(each);
    }
    waiting.removeAll(group);
    return group;
  }
}
