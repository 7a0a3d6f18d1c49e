import { minute } from '#base/duration.ts';
import type { IsClientNetwork } from '#server/http/client-network.ts';
import { Limiters, networkCount } from './limiter.ts';

const defaultCalls = 30;

/** Limits provider sign-ins: 30 calls in ten minutes per network. */
export class FlowThrottle {
  readonly #calls;
  readonly #isClientNetwork: IsClientNetwork;

  constructor({
    callsPerTenMinutes = defaultCalls,
    isClientNetwork = () => true,
    limiters = new Limiters(),
  }: {
    callsPerTenMinutes?: number | undefined;
    isClientNetwork?: IsClientNetwork | undefined;
    limiters?: Limiters;
  } = {}) {
    this.#isClientNetwork = isClientNetwork;
    this.#calls = limiters.limiter('provider-calls', callsPerTenMinutes, 10 * minute);
  }

  /**
   * Counts a call.
   * @throws rate-limited (429)
   */
  async consume(ip: string): Promise<void> {
    await networkCount(this.#calls, ip, this.#isClientNetwork).consume();
  }
}
