import type { Account } from '#tests/faults/signal/account.ts';

/** The result of one run of one kind of fault. */
export interface Outcome {
  kind: string;
  seed: number;
  capturedMs: number;
  storedMs: number;
  namedGapsMs: number;
  unexplainedMs: number;
  worstLossMs: number;
  repeatedMs: number;
  /** Everything that violates the promise, as text. Empty if the run passed. */
  findings: string[];
  /** Why it could not run here; null if it ran. */
  skipped: string | null;
  /** The findings of a first run of this seed if a second one passed; otherwise null. */
  flaky: string | null;
  /** Other measurements. */
  notes: string;
  /** The duration of the run in ms. */
  wallMs: number;
}

export interface FaultKind {
  /** Its number in the design's fault suite. */
  number: number;
  name: string;
  /** The most that one such fault may cost in ms, whether named or not. */
  allowedLossMs: number;
  /** The time limit of a run in ms. */
  timeLimitMs?: number;
  /** The usual duration of a run in ms, if it is much longer than most. */
  typicalMs?: number;
  /**
   * How many of the slots for parallel runs it occupies: one by default, more if it keeps processors busy or has a
   * limit of a tenth of a second, all if it disturbs the whole machine.
   */
  places?: number;
  /** A resource that only one run at a time can use. */
  needs?: string;
  /** Started with the suite: creates what its runs share and what takes long to create. */
  prepare?(): Promise<unknown>;
  run(seed: number): Promise<Partial<Outcome>>;
}

/** An account's figures as an outcome. */
export function outcomeOf(account: Account, notes = ''): Partial<Outcome> {
  const { storedMs, namedGapsMs, unexplainedMs, worstLossMs, repeatedMs, findings } = account;
  return {
    capturedMs: storedMs + namedGapsMs + unexplainedMs,
    storedMs,
    namedGapsMs,
    unexplainedMs,
    worstLossMs,
    repeatedMs,
    findings,
    notes,
  };
}

/** Forgives audio lost at the end by a kill, up to a limit: it counts as a loss, but not as an unexplained one. */
export function forgiveTail(account: Account, allowedMs: number): Account {
  const isTail = (finding: string) => finding.endsWith('at the end');
  const tailMs = account.findings
    .filter(isTail)
    .reduce((sum, finding) => sum + Number.parseInt(finding, 10), 0);
  if (tailMs > allowedMs) return account;
  return {
    ...account,
    unexplainedMs: Math.max(0, account.unexplainedMs - tailMs - 1),
    findings: account.findings.filter((finding) => !isTail(finding)),
  };
}
