import { minute } from '#base/duration.ts';
import { type IsClientNetwork, consumeForNetwork, limiter } from './limiter.ts';

const usualCalls = 30;

/** Limits provider sign-ins: 30 calls in ten minutes per network. */
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

  /**
   * Counts a call.
   * @throws rate-limited (429)
   */
  async consume(ip: string): Promise<void> {
    await consumeForNetwork(this.#calls, ip, this.#isClientNetwork);
  }
}
