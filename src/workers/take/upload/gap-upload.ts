import { second } from '#base/duration.ts';
import type { Gap } from '#contract/recordings.ts';
import { RetryPolicy } from '#workers/upload/retry-policy.ts';
import type { UploadAccess, UploadDeps } from '#workers/upload/upload-access.ts';
import { UploadError } from '#workers/upload/upload-error.ts';

/** The gaps of a running take. */
export interface GapSource {
  recordingId: string;
  /** All gaps so far; a new array after every new gap. */
  current: () => readonly Gap[];
  /** True once the take is stopped: the finish request contains the final list. */
  isSealed: () => boolean;
}

/** Sends gaps while the take runs, so that live listeners see them. */
export class GapUpload {
  readonly #source: GapSource;
  readonly #access: UploadAccess;
  readonly #retryPolicy: RetryPolicy;
  #sent: readonly Gap[] | null = null;

  constructor(source: GapSource, access: UploadAccess, deps: UploadDeps) {
    this.#source = source;
    this.#access = access;
    this.#retryPolicy = new RetryPolicy(access, deps);
  }

  /** Resolves once the take is stopped. */
  async run(): Promise<void> {
    while (!this.#source.isSealed()) {
      const gaps = this.#source.current();
      if (gaps.length > 0 && gaps !== this.#sent) await this.#send(gaps);
      else await this.#retryPolicy.rest(second);
    }
  }

  wake(): void {
    this.#retryPolicy.call();
  }

  nudge(): void {
    this.#retryPolicy.nudge();
  }

  async #send(gaps: readonly Gap[]): Promise<void> {
    const client = await this.#access.client();
    try {
      await client.nameGaps(this.#source.recordingId, gaps);
      this.#retryPolicy.succeeded();
      this.#sent = gaps;
    } catch (error) {
      // The finish request contains a list that cannot be sent while the take runs.
      const isHopeless =
        error instanceof UploadError && (error.kind === 'invalid' || error.kind === 'finished');
      if (isHopeless) this.#sent = gaps;
      else await this.#retryPolicy.after(error, client);
    }
  }
}
