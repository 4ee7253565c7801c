package dev.mainstay.store;

import dev.mainstay.domain.Refusal;

/** The workflows that tasks can belong to. */
public final class WorkflowTable {
  private final Tx tx;

  WorkflowTable(Tx tx) {
    this.tx = tx;
  }

  public void mustExist(String id) {
    tx.sql("SELECT id FROM workflows WHERE id = :id")
        .bind("id", id)
        .first(row -> row.text("id"))
        .orElseThrow(
            () -> Refusal.notFound("there is no workflow " + id + "; leave --workflow out"));
  }
}
