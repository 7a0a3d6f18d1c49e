/** An instant as RFC 3339 text in UTC with milliseconds, as every API of ours speaks it. */
export const instantOf = (unixMs: number): string => new Date(unixMs).toISOString();

/** Unix milliseconds of an RFC 3339 instant; NaN where it is none. */
export const unixMsOf = (instant: string): number => Date.parse(instant);

/** A moment for libraries that want it as a `Date`. */
export const dateOf = (ms: number): Date => new Date(ms);
