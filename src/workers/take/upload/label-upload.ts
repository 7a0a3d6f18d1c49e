import { second } from '#base/duration.ts';
import { RetryPolicy } from '#workers/upload/retry-policy.ts';
import type { UploadAccess, UploadDeps } from '#workers/upload/upload-access.ts';
import type { UploadClient } from '#workers/upload/upload-client.ts';
import { UploadError } from '#workers/upload/upload-error.ts';

/** The markers or notes of a take that the server does not have yet. */
export interface LabelSource<Label> {
  /** The next label to send; null if there is none at present. */
  next: () => Label | null;
  send: (client: UploadClient, label: Label) => Promise<void>;
  setSent: (label: Label) => Promise<void>;
  /** No more labels will come. */
  isSealed: () => boolean;
}

/** Sends labels one by one; sending one twice is harmless, because its id was made on the device. */
export class LabelUpload<Label> {
  readonly #source: LabelSource<Label>;
  readonly #access: UploadAccess;
  readonly #retryPolicy: RetryPolicy;

  constructor(source: LabelSource<Label>, access: UploadAccess, deps: UploadDeps) {
    this.#source = source;
    this.#access = access;
    this.#retryPolicy = new RetryPolicy(access, deps);
  }

  /** Resolves once the take is sealed and every label is on the server. */
  async run(): Promise<void> {
    for (;;) {
      const label = this.#source.next();
      if (label !== null) await this.#send(label);
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

  async #send(label: Label): Promise<void> {
    const client = await this.#access.client();
    try {
      await this.#source.send(client, label);
      this.#retryPolicy.succeeded();
    } catch (error) {
      // One label that can never be stored must not prevent the end of the whole recording. It stays on this
      // device.
      const isHopeless = error instanceof UploadError && error.kind === 'invalid';
      if (!isHopeless) {
        await this.#retryPolicy.after(error, client);
        return;
      }
    }
    // If saving fails, the label is sent again on the next visit, which is harmless.
    await this.#source.setSent(label).catch(() => undefined);
  }
}
