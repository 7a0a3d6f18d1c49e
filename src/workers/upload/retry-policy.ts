import type { UploadCondition } from './upload-condition.ts';
import { BackOff } from '#base/back-off.ts';
import { hour } from '#base/duration.ts';
import type { UploadAccess, UploadDeps } from './upload-access.ts';
import type { UploadClient } from './upload-client.ts';
import { type UploadErrorKind, UploadError } from './upload-error.ts';
import { Wake } from './wake.ts';

/** Why a sequence of calls waits for its next attempt. */
export type WaitingCondition = Extract<
  UploadCondition,
  'offline' | 'gate-closed' | 'server-full' | 'over-quota' | 'not-audio' | 'server-trouble'
>;

const conditions: Partial<Record<UploadErrorKind, WaitingCondition>> = {
  offline: 'offline',
  gate: 'gate-closed',
  full: 'server-full',
  quota: 'over-quota',
  'not-audio': 'not-audio',
};

/** The same bytes are sent again only in case a later version of the server reads them. */
const notAudioRetryMs = hour;

/** Controls the waits of a sequence of requests after failures. Never stops retrying. */
export class RetryPolicy {
  readonly #access: UploadAccess;
  readonly #backOff: BackOff;
  readonly #wake: Wake;
  #condition: WaitingCondition | null = null;

  constructor(access: UploadAccess, deps: UploadDeps) {
    this.#access = access;
    this.#backOff = new BackOff(deps.random);
    this.#wake = new Wake(deps.sleep);
  }

  /** Why the last attempt failed; null when it succeeded. */
  get condition(): WaitingCondition | null {
    return this.#condition;
  }

  /** Records a successful attempt. */
  succeeded(): void {
    this.#access.accept();
    this.#backOff.reset();
    this.#condition = null;
  }

  /** Waits as long as the failure requires. `UploadAccess.client` waits for a capability that replaces a rejected one. */
  async after(error: unknown, client: UploadClient): Promise<void> {
    const failure =
      error instanceof UploadError
        ? error
        : new UploadError('server', 'a step failed on this device', { cause: error });
    if (failure.kind === 'rejected') {
      this.#access.reject(client);
      return;
    }
    this.#condition = conditions[failure.kind] ?? 'server-trouble';
    const minMs = failure.kind === 'not-audio' ? notAudioRetryMs : failure.retryAfterMs;
    await this.#wake.wait(Math.max(this.#backOff.nextMs(), minMs));
  }

  /** Waits until there is something to do, at most `delayMs`. */
  async rest(delayMs: number): Promise<void> {
    await this.#wake.wait(delayMs);
  }

  /** Ends the current wait, because there is something to do. */
  call(): void {
    this.#wake.call();
  }

  /** Retries now and restarts with short delays, because success is likely. */
  nudge(): void {
    this.#backOff.reset();
    this.#wake.call();
  }
}
