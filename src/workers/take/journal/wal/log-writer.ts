import { type LogWrite, writeLog } from '#device/streams/stream-log.ts';

/** A stream whose new bytes go into the log. */
export interface LoggedStream {
  readonly uploadId: string;
  /** The next write; null when there is nothing to write. */
  nextWrite(): LogWrite | null;
  /** It is on the disk; true when there is more to write at once. */
  wrote(write: LogWrite): boolean;
  /** Nothing of it is on the disk. */
  failed(error: unknown): void;
}

/**
 * Writes the new bytes of its streams in one transaction, one after another: a request during a write waits
 * for the next.
 */
export class LogWriter {
  readonly #streams: LoggedStream[] = [];
  readonly #write: (writes: ReadonlyMap<string, LogWrite>) => Promise<void>;
  #isWanted = false;
  #running: Promise<void> | null = null;

  constructor(write = writeLog) {
    this.#write = write;
  }

  add(stream: LoggedStream): void {
    this.#streams.push(stream);
  }

  /**
   * Asks for a write of what there is when the present turn of the event loop is over; resolves when it was
   * tried. Never rejects.
   */
  requestWrite(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    // What flushes its streams one after another means one transaction.
    await Promise.resolve();
    while (this.#isWanted) {
      this.#isWanted = false;
      if (await this.#writeOnce()) this.#isWanted = true;
    }
    this.#running = null;
  }

  async #writeOnce(): Promise<boolean> {
    const taken = this.#streams.flatMap((stream) => {
      const write = stream.nextWrite();
      return write === null ? [] : [{ stream, write }];
    });
    if (taken.length === 0) return false;
    try {
      await this.#write(new Map(taken.map(({ stream, write }) => [stream.uploadId, write])));
    } catch (error) {
      for (const { stream } of taken) stream.failed(error);
      return false;
    }
    return taken.map(({ stream, write }) => stream.wrote(write)).includes(true);
  }
}
