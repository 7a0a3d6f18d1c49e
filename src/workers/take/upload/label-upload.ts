import { second } from '#base/duration.ts';
import { RetryPolicy, type WaitingCondition } from '#workers/upload/retry-policy.ts';
import type { UploadAccess, UploadDeps } from '#workers/upload/upload-access.ts';
import type { UploadClient } from '#workers/upload/upload-client.ts';
import { UploadError } from '#workers/upload/upload-error.ts';

/** The markers, notes or passages of a take that the server does not have yet. */
export interface LabelSource<Label, Answer = unknown> {
  /** The next label to send; null if there is none now. */
  next: () => Label | null;
  send: (client: UploadClient, label: Label) => Promise<Answer>;
  /** Called with the answer of the server, or `rejected` if it will never store the label. */
  setSent: (label: Label, answer: Answer | 'rejected') => Promise<void>;
  /** Makes all labels be sent again, because the server lost some that it had confirmed. */
  sendAgain: () => void | Promise<void>;
  /** No more labels will come. */
  isSealed: () => boolean;
  /** Whether a finished recording accepts no more of them. */
  isRejectedOnceFinished?: boolean;
}

/** Sends labels one by one; sending one twice is harmless, because its id was made on the device. */
export class LabelUpload<Label, Answer = unknown> {
  readonly #source: LabelSource<Label, Answer>;
  readonly #access: UploadAccess;
  readonly #retryPolicy: RetryPolicy;
  #running: Promise<void> | null = null;

  constructor(source: LabelSource<Label, Answer>, access: UploadAccess, deps: UploadDeps) {
    this.#source = source;
    this.#access = access;
    this.#retryPolicy = new RetryPolicy(access, deps);
  }

  get condition(): WaitingCondition | null {
    return this.#retryPolicy.condition;
  }

  /** Resolves once the take is sealed and every label is on the server. */
  run(): Promise<void> {
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Makes the labels that were sent be sent again by `run`. */
  async sendAgain(): Promise<void> {
    await this.#source.sendAgain();
  }

  wake(): void {
    this.#retryPolicy.call();
  }

  nudge(): void {
    this.#retryPolicy.nudge();
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const label = this.#source.next();
      if (label !== null) await this.#send(label);
      else if (this.#source.isSealed()) return;
      else await this.#retryPolicy.rest(second);
    }
  }

  async #send(label: Label): Promise<void> {
    const client = await this.#access.client();
    let answer: Answer | 'rejected';
    try {
      answer = await this.#source.send(client, label);
      this.#retryPolicy.succeeded();
    } catch (error) {
      // One label that can never be stored must not prevent the end of the whole recording. It stays on this
      // device.
      if (!this.#isHopeless(error)) {
        await this.#retryPolicy.after(error, client);
        return;
      }
      answer = 'rejected';
    }
    // If saving fails, the label is sent again on the next visit, which is harmless.
    await this.#source.setSent(label, answer).catch(() => undefined);
  }

  #isHopeless(error: unknown): boolean {
    if (!(error instanceof UploadError)) return false;
    return (
      error.kind === 'invalid' || (error.kind === 'finished' && this.#source.isRejectedOnceFinished === true)
    );
  }
}
