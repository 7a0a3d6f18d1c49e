import { minute } from '#base/duration.ts';
import { clientNetwork } from '../client-traits.ts';
import { consume, limiter } from '../throttle/limiter.ts';

const usualCalls = 30;

/** Slows down who begins or ends sign-ins with providers by the dozen: thirty calls in ten minutes from one network. */
export class FlowThrottle {
  readonly #calls;

  constructor(callsPerTenMinutes = usualCalls) {
    this.#calls = limiter(callsPerTenMinutes, 10 * minute);
  }

  /** Counts a call. Throws rate-limited (429). */
  async take(ip: string): Promise<void> {
    await consume(this.#calls, clientNetwork(ip));
  }
}
