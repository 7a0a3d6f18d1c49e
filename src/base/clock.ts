/** The only source of "now" in the server's features, so that tests can set it. Unix milliseconds. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
