package dev.mainstay.store;

import dev.mainstay.domain.AccessToken;
import dev.mainstay.domain.AccessToken.Life;
import dev.mainstay.domain.AccessToken.Role;
import java.util.List;
import java.util.Optional;

/** Who may call the server. Hashes only: who reads this table cannot call with what it says. */
public final class AccessTokenTable {
  /** The provider of a terminal that Mainstay did not start. */
  private static final String EXTERNAL = "external";

  private final Tx tx;

  AccessTokenTable(Tx tx) {
    this.tx = tx;
  }

  /** A token and the hash it is known by. */
  public record Hashed(AccessToken token, String hash) {}

  /** Keeps a token; false when the same one is kept already. */
  public boolean insert(AccessToken token, String hash) {
    if (token.terminal() != null) ensureTerminal(token.terminal());
    return tx.sql(
                """
                INSERT INTO access_tokens (id, token_hash, role, name, terminal_id, created_at, expires_at)
                VALUES (:id, :hash, :role, :name, :terminal, :created_at, :expires_at)
                ON CONFLICT (id) DO NOTHING""")
            .bind("id", token.id())
            .bind("hash", hash)
            .bind("role", token.role().name())
            .bind("name", token.name())
            .bind("terminal", token.terminal())
            .bind("created_at", token.life().createdAt())
            .bind("expires_at", token.life().expiresAt())
            .update()
        > 0;
  }

  private void ensureTerminal(String id) {
    tx.sql(
            """
            INSERT INTO terminals (id, provider, created_at) VALUES (:id, :provider, :now)
            ON CONFLICT (id) DO NOTHING""")
        .bind("id", id)
        .bind("provider", EXTERNAL)
        .bind("now", tx.now())
        .update();
  }

  public Optional<Hashed> findByHash(String hash) {
    return tx.sql("SELECT * FROM access_tokens WHERE token_hash = :hash")
        .bind("hash", hash)
        .first(row -> new Hashed(token(row), row.text("token_hash")));
  }

  public Optional<AccessToken> find(String id) {
    return tx.sql("SELECT * FROM access_tokens WHERE id = :id")
        .bind("id", id)
        .first(AccessTokenTable::token);
  }

  /** Oldest first. */
  public List<AccessToken> list() {
    return tx.sql("SELECT * FROM access_tokens ORDER BY created_at, id")
        .list(AccessTokenTable::token);
  }

  public long count() {
    return tx.sql("SELECT count(*) AS tokens FROM access_tokens").one(row -> row.number("tokens"));
  }

  /** False when there was none. */
  public boolean delete(String id) {
    return tx.sql("DELETE FROM access_tokens WHERE id = :id").bind("id", id).update() > 0;
  }

  private static AccessToken token(Row row) {
    return new AccessToken(
        row.text("id"),
        Role.valueOf(row.text("role")),
        row.text("name"),
        row.textOrNull("terminal_id"),
        new Life(row.instant("created_at"), row.instantOrNull("expires_at")));
  }
}
