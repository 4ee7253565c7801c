package dev.mainstay.store;

/** JSON that is text already. */
record JsonRaw(String text) {}
