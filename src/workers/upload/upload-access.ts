import type { UploadCapability } from '#contract/recordings.ts';
import { BackOff } from '#base/back-off.ts';
import type { Sleep } from './wake.ts';
import { UploadClient } from './upload-client.ts';

/** External dependencies of the upload, replaceable in tests. */
export interface UploadDeps {
  fetch: typeof fetch;
  sleep: Sleep;
  nowMs: () => number;
  /** 0…1 */
  random: () => number;
}

/** The capability to upload, which may arrive late, be rejected, and be renewed during calls. */
export class UploadAccess {
  readonly #deps: UploadDeps;
  readonly #needAttach: (reason: 'none' | 'rejected') => void;
  readonly #backOff: BackOff;
  #client: UploadClient | null = null;
  #isRejected = false;
  #rejections = 0;
  #waiting: (() => void)[] = [];

  /** @param needAttach requests a (new) capability; `attach` delivers it */
  constructor(deps: UploadDeps, needAttach: (reason: 'none' | 'rejected') => void) {
    this.#deps = deps;
    this.#needAttach = needAttach;
    this.#backOff = new BackOff(deps.random);
  }

  /** Why nothing may be sent; null if sending is allowed. */
  get condition(): 'unattached' | 'capability-rejected' | null {
    if (this.#client === null) return 'unattached';
    return this.#isRejected ? 'capability-rejected' : null;
  }

  /** Sets a capability and resolves every call that waits for one. */
  attach(upload: UploadCapability): void {
    this.#client = new UploadClient(this.#deps.fetch, upload);
    this.#isRejected = false;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Drops the capability: nothing may be sent until another one arrives. */
  detach(): void {
    this.#client = null;
    this.#isRejected = false;
  }

  /** Resolves with a client whose capability has not been rejected, however long that takes. */
  async client(): Promise<UploadClient> {
    while (this.#client === null || this.#isRejected) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    return this.#client;
  }

  /**
   * Records that the server rejected this client's capability. After a second rejection in a row, the next request
   * is delayed.
   */
  reject(client: UploadClient): void {
    if (client !== this.#client || this.#isRejected) return;
    this.#isRejected = true;
    this.#rejections += 1;
    if (this.#rejections === 1) {
      this.#needAttach('rejected');
      return;
    }
    void this.#deps.sleep(this.#backOff.nextMs(), new AbortController().signal).then(() => this.remind());
  }

  /** Records that the server accepted the capability. */
  accept(): void {
    this.#rejections = 0;
    this.#backOff.reset();
  }

  /** Requests a capability again if one is missing. */
  remind(): void {
    if (this.#client === null) this.#needAttach('none');
    else if (this.#isRejected) this.#needAttach('rejected');
  }
}
