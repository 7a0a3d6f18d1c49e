/** Year 0 to 9999-12-31, the range of RFC 3339, in Unix milliseconds. */
export const instantBounds = { min: -62_167_219_200_000, max: 253_402_300_799_999 } as const;

/**
 * An instant as RFC 3339 text in UTC with milliseconds, the format of all our APIs. Clamped to the valid range, so
 * that one damaged row never fails its list.
 * @throws RangeError for NaN
 */
export const instantOf = (unixMs: number): string =>
  new Date(Math.min(instantBounds.max, Math.max(instantBounds.min, unixMs))).toISOString();

/** `instantOf` of a time that may be missing. */
export const instantOrNull = (unixMs: number | null): string | null =>
  unixMs === null ? null : instantOf(unixMs);

/** Unix milliseconds of an RFC 3339 instant; NaN for invalid text. */
export const unixMsOf = (instant: string): number => Date.parse(instant);

/** Unix milliseconds of an HTTP `Date` (RFC 9110 §5.6.7); NaN for invalid text. */
export const unixMsOfHttpDate = (text: string | null): number => Date.parse(text ?? '');

/** Converts Unix milliseconds for libraries that need a `Date`. */
export const dateOf = (ms: number): Date => new Date(ms);
