import { createSHA256 } from 'hash-wasm';

/** Node's hash cannot export its state (nodejs/node#25411), so this one calculates all running hashes, one at a time. */
const sha256 = await createSHA256();
sha256.init();
const emptyState = sha256.save();

/**
 * A SHA-256 of bytes that arrive over hours. Its state is 116 bytes and can be stored beside them, so that the next
 * writer continues without reading them.
 */
export class RunningHash {
  #state: Uint8Array;

  constructor(state: Uint8Array = emptyState) {
    this.#state = state;
  }

  /**
   * Continues from a stored state.
   * @returns null if the state is from another version of the algorithm
   */
  static fromState(state: Uint8Array): RunningHash | null {
    try {
      sha256.load(state);
      return new RunningHash(sha256.save());
    } catch {
      return null;
    }
  }

  /** The state after all bytes so far. */
  get state(): Uint8Array {
    return this.#state;
  }

  update(bytes: Uint8Array): void {
    this.#state = this.after(bytes).#state;
  }

  /** Returns the hash as it will be after more bytes, which may still fail to be stored. */
  after(bytes: Uint8Array): RunningHash {
    sha256.load(this.#state);
    sha256.update(bytes);
    return new RunningHash(sha256.save());
  }

  /** The SHA-256 of all bytes so far. The hash can continue after it. */
  digest(): Buffer {
    sha256.load(this.#state);
    return Buffer.from(sha256.digest('binary'));
  }
}
