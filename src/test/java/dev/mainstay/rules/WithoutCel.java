package dev.mainstay.rules;

import java.io.IOException;
import java.io.InputStream;

/** Loads the rooms anew and knows no CEL. */
final class WithoutCel extends ClassLoader {
  WithoutCel() {
    super(WithoutCel.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith("dev.cel.")) throw new ClassNotFoundException(name);
    if (!name.startsWith("dev.mainstay.rules.")) return super.loadClass(name, resolve);
    Class<?> loaded = findLoadedClass(name);
    if (loaded != null) return loaded;
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException fault) {
      throw new ClassNotFoundException(name, fault);
    }
  }
}
