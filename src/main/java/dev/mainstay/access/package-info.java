/**
 * Who may call: tokens, their roles and whom they are bound to. Touches the domain and the store.
 */
@NullMarked
package dev.mainstay.access;

import org.jspecify.annotations.NullMarked;
