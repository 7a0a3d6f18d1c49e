import { minute } from '#base/duration.ts';
import { lostStoreOf } from '#base/errors/lost-store.ts';

/** Fields of a log line about a failure that recurs until something outside is mended. */
interface OutageFields {
  err: unknown;
  /** What is unavailable: lines with the same value are logged once, then counted. */
  outage: string;
}

/**
 * Returns the fields of a failure that recurs with every request or check, by the store that is lost.
 * @param work what failed, if no store is lost
 */
export const outageFields = (error: unknown, work: string): OutageFields => ({
  err: error,
  outage: lostStoreOf(error) ?? work,
});

interface Outage {
  startedAt: number;
  failures: number;
  failuresSinceReport: number;
  timer: NodeJS.Timeout;
}

interface OutageReport {
  outage: string;
  /** Since the outage began. */
  failures: number;
  lastedMs: number;
}

interface Reports {
  /** Called each minute in which work failed again. */
  onContinued: (report: OutageReport) => void;
  /** Called after a minute in which nothing failed. */
  onEnded: (report: OutageReport) => void;
}

/** Counts failures that have the same cause: the first one is logged, the others are reported as a number each minute. */
export class OutageCounter {
  readonly #reports: Reports;
  readonly #everyMs: number;
  readonly #outages = new Map<string, Outage>();

  /** @param everyMs the interval of reports */
  constructor(reports: Reports, everyMs = minute) {
    this.#reports = reports;
    this.#everyMs = everyMs;
  }

  /** Counts a failure. Returns whether it is the first of its outage, which is logged as it is. */
  count(outage: string): boolean {
    const known = this.#outages.get(outage);
    if (known !== undefined) {
      known.failures += 1;
      known.failuresSinceReport += 1;
      return false;
    }
    const timer = setInterval(() => {
      this.#report(outage);
    }, this.#everyMs).unref();
    this.#outages.set(outage, {
      startedAt: performance.now(),
      failures: 1,
      failuresSinceReport: 0,
      timer,
    });
    return true;
  }

  #report(name: string): void {
    const outage = this.#outages.get(name);
    if (outage === undefined) return;
    const { failures, failuresSinceReport, startedAt, timer } = outage;
    const report = { outage: name, failures, lastedMs: Math.round(performance.now() - startedAt) };
    outage.failuresSinceReport = 0;
    if (failuresSinceReport > 0) {
      this.#reports.onContinued(report);
      return;
    }
    clearInterval(timer);
    this.#outages.delete(name);
    this.#reports.onEnded(report);
  }
}
