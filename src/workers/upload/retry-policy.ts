import type { UploadCondition } from './upload-condition.ts';
import { BackOff } from '#base/back-off.ts';
import type { UploadAccess, UploadDeps } from './upload-access.ts';
import type { UploadClient } from './upload-client.ts';
import { type UploadErrorKind, UploadError } from './upload-error.ts';
import { Wake } from './wake.ts';

/** Why a sequence of calls waits for its next attempt. */
export type WaitingCondition = Extract<
  UploadCondition,
  'offline' | 'gate-closed' | 'server-full' | 'server-trouble'
>;

const conditions: Partial<Record<UploadErrorKind, WaitingCondition>> = {
  offline: 'offline',
  gate: 'gate-closed',
  full: 'server-full',
};

/** What a sequence of calls does between a failure and its next attempt. It never gives up. */
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

  /** An attempt went well. */
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
    await this.#wake.wait(Math.max(this.#backOff.nextMs(), failure.retryAfterMs));
  }

  /** Waits for something to do. */
  async rest(delayMs: number): Promise<void> {
    await this.#wake.wait(delayMs);
  }

  /** There is something to do: ends the current wait. */
  call(): void {
    this.#wake.call();
  }

  /** There is a reason to hope: tries now, and begins with short waits again. */
  nudge(): void {
    this.#backOff.reset();
    this.#wake.call();
  }
}
