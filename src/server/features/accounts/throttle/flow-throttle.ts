import { minute } from '#base/duration.ts';
import { type IsClientNetwork, consumeForNetwork, limiter } from './limiter.ts';

const usualCalls = 30;

/**
 * Slows down who begins or ends sign-ins with providers by the dozen: thirty calls in ten minutes from one
 * network.
 */
export class FlowThrottle {
  readonly #calls;
  readonly #isClientNetwork: IsClientNetwork;

  constructor({
    callsPerTenMinutes = usualCalls,
    isClientNetwork = () => true,
  }: { callsPerTenMinutes?: number | undefined; isClientNetwork?: IsClientNetwork | undefined } = {}) {
    this.#isClientNetwork = isClientNetwork;
    this.#calls = limiter(callsPerTenMinutes, 10 * minute);
  }

  /** Counts a call. Throws rate-limited (429). */
  async consume(ip: string): Promise<void> {
    await consumeForNetwork(this.#calls, ip, this.#isClientNetwork);
  }
}
