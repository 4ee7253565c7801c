package dev.mainstay.app;

/** Start. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.out.println("hi");
  }
}
