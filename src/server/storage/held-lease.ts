/** The lease may have run out, so another process may have begun: the work must stop. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  /** `taken`: another process has it. `unconfirmed`: no renewal was confirmed in time. */
  readonly kind: 'taken' | 'unconfirmed';

  constructor(kind: LeaseLostError['kind']) {
    super(kind === 'taken' ? 'another process has the lease' : 'the lease was not renewed in time');
    this.kind = kind;
  }
}

/** A lease that this process holds and renews. */
export interface HeldLease {
  /** Aborts with a `LeaseLostError` before another process can begin. */
  readonly signal: AbortSignal;
  /** Stops renewing. The caller ends the lease itself. */
  stop: () => void;
}

export interface LeaseTerms {
  /** How long the lease lasts, in milliseconds, from the moment at which the database grants or renews it. */
  leaseMs: number;
  /** `performance.now()` from before the statement that took the lease was sent. */
  takenAtMs: number;
  /** Renews the lease. Returns false if another process has it. */
  renew: () => Promise<boolean>;
  /** Called when a renewal fails. The next one follows as usual. */
  onError?: (error: unknown) => void;
}

/** The part of a lease in which the holder stops its work before another process can begin. */
const stopPart = 1 / 6;
const renewalPart = 1 / 3;

/**
 * Renews a lease every third of it until it is lost. A renewal counts from before it was sent, and only once the
 * database has confirmed it: a statement that hangs renews nothing. The clock is monotonic, and may stop while a machine
 * sleeps; so a holder also makes the lease a condition of what it writes, where two holders could do harm.
 */
export function holdLease({ leaseMs, takenAtMs, renew, onError }: LeaseTerms): HeldLease {
  const lost = new AbortController();
  let confirmedAtMs = takenAtMs;
  let isRenewing = false;
  let deadline: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(renewals);
    clearTimeout(deadline);
  };
  const lose = (kind: LeaseLostError['kind']): void => {
    stop();
    lost.abort(new LeaseLostError(kind));
  };
  const checkDeadline = (): void => {
    const leftMs = confirmedAtMs + leaseMs * (1 - stopPart) - performance.now();
    if (leftMs <= 0) lose('unconfirmed');
    else deadline = setTimeout(checkDeadline, Math.ceil(leftMs)).unref();
  };
  const renewOnce = async (): Promise<void> => {
    const sentAtMs = performance.now();
    try {
      if (await renew()) confirmedAtMs = sentAtMs;
      else lose('taken');
    } catch (error) {
      onError?.(error);
    }
  };
  const renewals = setInterval(() => {
    // A second statement would wait behind the first, with another connection.
    if (isRenewing) return;
    isRenewing = true;
    void renewOnce().finally(() => {
      isRenewing = false;
    });
  }, leaseMs * renewalPart).unref();
  checkDeadline();
  return { signal: lost.signal, stop };
}
