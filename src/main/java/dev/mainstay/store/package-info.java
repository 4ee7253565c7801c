/**
 * Tables, journal, transactions, migrations, two dialects. Alone knows SQL; touches the domain and
 * the database drivers.
 */
@NullMarked
package dev.mainstay.store;

import org.jspecify.annotations.NullMarked;
