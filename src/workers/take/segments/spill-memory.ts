import { WorkerFailure } from '#workers/take/worker-failure.ts';

/** Two hours at the better quality, or a day of speech. */
const sizeLimitBytes = 64 * 1024 * 1024;
/** This much must be free before sound is stored again after a failure: minutes, not moments. */
const enoughBytes = 1024 * 1024;

/** Holds bytes in memory and can release those that the server has. */
interface Spilled {
  dropAcknowledged: () => void;
}

/** The memory that all streams of a take share while the device is full. */
export class SpillMemory {
  readonly #limitBytes: number;
  readonly #streams = new Set<Spilled>();
  #usedBytes = 0;

  constructor(limitBytes = sizeLimitBytes) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Reserves memory for bytes of a stream.
   * @throws WorkerFailure `storage-full` if there is not enough left
   */
  take(stream: Spilled, sizeBytes: number): void {
    this.#streams.add(stream);
    if (this.#usedBytes + sizeBytes > this.#limitBytes) this.#dropAcknowledged();
    if (this.#usedBytes + sizeBytes > this.#limitBytes)
      throw new WorkerFailure('storage-full', 'this device and its memory are full');
    this.#usedBytes += sizeBytes;
  }

  /** Releases memory. */
  give(sizeBytes: number): void {
    this.#usedBytes -= sizeBytes;
  }

  /** True if there is memory for several minutes. */
  get hasSpace(): boolean {
    this.#dropAcknowledged();
    return this.#usedBytes + enoughBytes <= this.#limitBytes;
  }

  #dropAcknowledged(): void {
    for (const stream of this.#streams) stream.dropAcknowledged();
  }
}
