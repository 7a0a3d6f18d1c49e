import { type LogWrite, writeLog } from '#device/streams/stream-log.ts';

/** A stream whose new bytes are written to the log. */
export interface LoggedStream {
  readonly uploadId: string;
  /** The next write; null if there is nothing to write. */
  nextWrite(): LogWrite | null;
  /** Called when the write is on the disk. Returns true if there is more to write now. */
  wrote(write: LogWrite): boolean;
  /** Called when nothing of the write is on the disk. */
  failed(error: unknown): void;
}

/**
 * Writes the new bytes of its streams in one transaction at a time. A request during a write waits for the next
 * one.
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
   * Requests a write of all new bytes after the current task of the caller. Resolves when it was tried. Never
   * rejects.
   */
  requestWrite(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    // A caller that flushes several streams in a row gets one transaction.
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
