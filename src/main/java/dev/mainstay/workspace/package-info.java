/**
 * Files: scan, hash, observe tool results, idempotent atomic writes, worktrees. Touches domain,
 * json, render, store, process, and JGit for ignore rules.
 */
@NullMarked
package dev.mainstay.workspace;

import org.jspecify.annotations.NullMarked;
