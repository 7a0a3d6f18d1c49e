import { second } from '#base/duration.ts';
import type { Passage } from '#contract/passages-api.ts';
import type { TakePassage } from '#device/takes/take-record.ts';
import { RetryPolicy, type WaitingCondition } from '#workers/upload/retry-policy.ts';
import type { UploadAccess, UploadDeps } from '#workers/upload/upload-access.ts';
import type { UploadClient } from '#workers/upload/upload-client.ts';
import { UploadError } from '#workers/upload/upload-error.ts';

/** The passages of a take that are off the record. */
export interface PassageSource {
  /** The next passage that the server does not have as it is; null if there is none. */
  next: () => TakePassage | null;
  /** Whether the server has the start of every passage. */
  areStartsStored: () => boolean;
  send: (client: UploadClient, passage: TakePassage) => Promise<Passage>;
  setStored: (passage: TakePassage, answer: Passage | 'rejected') => Promise<void>;
  /** No more passages will come. */
  isSealed: () => boolean;
}

/** Sends passages one by one, before any byte that follows their start. Sending one twice is harmless. */
export class PassageUpload {
  readonly #source: PassageSource;
  readonly #access: UploadAccess;
  readonly #retryPolicy: RetryPolicy;
  readonly #onStored: () => void;

  /** @param onStored called when bytes may be sent again */
  constructor(source: PassageSource, access: UploadAccess, deps: UploadDeps & { onStored: () => void }) {
    this.#source = source;
    this.#access = access;
    this.#retryPolicy = new RetryPolicy(access, deps);
    this.#onStored = deps.onStored;
  }

  /** Whether bytes may be sent: none of them is in a passage that the server does not know. */
  get isClear(): boolean {
    return this.#source.areStartsStored();
  }

  get condition(): WaitingCondition | null {
    return this.#retryPolicy.condition;
  }

  /** Resolves once the take is stopped and the server has every passage. */
  async run(): Promise<void> {
    for (;;) {
      const passage = this.#source.next();
      if (passage !== null) await this.#send(passage);
      else if (this.#source.isSealed()) return;
      else await this.#retryPolicy.rest(second);
    }
  }

  wake(): void {
    this.#retryPolicy.call();
  }

  nudge(): void {
    this.#retryPolicy.nudge();
  }

  async #send(passage: TakePassage): Promise<void> {
    const client = await this.#access.client();
    let answer: Passage | 'rejected';
    try {
      answer = await this.#source.send(client, passage);
      this.#retryPolicy.succeeded();
    } catch (error) {
      // A recording must not stay on this device because of a passage that can never be stored.
      const isHopeless =
        error instanceof UploadError && (error.kind === 'invalid' || error.kind === 'finished');
      if (!isHopeless) {
        await this.#retryPolicy.after(error, client);
        return;
      }
      answer = 'rejected';
    }
    // If saving fails, the passage is sent again on the next visit, which is harmless.
    await this.#source.setStored(passage, answer).catch(() => undefined);
    this.#onStored();
  }
}
