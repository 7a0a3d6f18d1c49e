/**
 * Closes a switch over a union: a member that was forgotten is a type error, and a value that slipped in is a
 * thrown one.
 */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`);
}
