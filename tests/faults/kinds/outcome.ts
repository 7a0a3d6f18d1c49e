import type { Account } from '#tests/faults/signal/account.ts';

/** What one run of one kind of fault came to. */
export interface Outcome {
  kind: string;
  seed: number;
  capturedMs: number;
  storedMs: number;
  namedGapsMs: number;
  unexplainedMs: number;
  worstLossMs: number;
  repeatedMs: number;
  /** Everything that is not as promised, in words; empty when all is well. */
  findings: string[];
  /** Why it could not be run here, if so. */
  skipped: string | null;
  /** What was found in a first run of this seed, where a second one passed; otherwise null. */
  flaky: string | null;
  /** What else was measured. */
  notes: string;
  /** How long the run took, ms. */
  wallMs: number;
}

export interface FaultKind {
  /** Its number in the design's fault suite. */
  number: number;
  name: string;
  /** The most that one such fault may cost, in ms, named or not. */
  allowedLossMs: number;
  /** How long one run may take, ms. */
  timeLimitMs?: number;
  /** How long one run usually takes, ms, where that is much more than most. */
  usualMs?: number;
  /**
   * How many places it takes among those that run side by side: one without it, more where it keeps
   * processors busy or its limit is a tenth of a second, all where it disturbs the whole machine.
   */
  places?: number;
  /** Something that only one run at a time can have. */
  needs?: string;
  /** Begun with the suite: what its runs share and takes long to make. */
  prepare?(): Promise<unknown>;
  run(seed: number): Promise<Partial<Outcome>>;
}

/** What an account says, as an outcome. */
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

/** A tail that a kill cost: allowed up to a bound, so a loss, but not an unexplained one. */
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
