import { second } from '#base/duration.ts';

const printEveryMs = 5 * second;

/** Returns a function that prints a line about how far a command is, and leaves out those within five seconds. */
export function progressPrinter(): (lineOf: () => string) => void {
  let printedAtMs = performance.now();
  return (lineOf) => {
    if (performance.now() - printedAtMs < printEveryMs) return;
    printedAtMs = performance.now();
    process.stdout.write(`${lineOf()}\n`);
  };
}
