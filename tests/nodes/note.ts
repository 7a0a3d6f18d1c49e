/** Prints a figure below the name of the running test. No test depends on it. */
export function note(text: string): void {
  console.log(`  ${text}`); // oxlint-disable-line no-console
}
