/**
 * Ends an exhaustive switch over a union: a missing member is a type error, an unexpected value throws at run
 * time.
 */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`);
}
