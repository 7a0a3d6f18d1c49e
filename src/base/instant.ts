/** From the year 0 to 9999-12-31: what RFC 3339 can write, in Unix milliseconds. */
export const instantBounds = { least: -62_167_219_200_000, most: 253_402_300_799_999 } as const;

/**
 * An instant as RFC 3339 text in UTC with milliseconds, as every API of ours speaks it; the nearest that can
 * be written, so that one damaged row never fails the list in which it stands.
 * @throws RangeError for NaN
 */
export const instantOf = (unixMs: number): string =>
  new Date(Math.min(instantBounds.most, Math.max(instantBounds.least, unixMs))).toISOString();

/** Unix milliseconds of an RFC 3339 instant; NaN where it is none. */
export const unixMsOf = (instant: string): number => Date.parse(instant);

/** Unix milliseconds of an HTTP `Date` (RFC 9110 §5.6.7); NaN where it is none. */
export const unixMsOfHttpDate = (text: string | null): number => Date.parse(text ?? '');

/** A moment for libraries that want it as a `Date`. */
export const dateOf = (ms: number): Date => new Date(ms);
