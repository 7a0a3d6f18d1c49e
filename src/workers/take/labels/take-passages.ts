import { limits } from '#contract/limits.ts';
import type { Passage } from '#contract/passages-api.ts';
import { isOpenPassage, type TakePassage } from '#device/records/take-record.ts';
import type { TakeRecordWriter } from '#workers/take/take-record-writer.ts';

/** Whether the server has all of a passage, or will never accept it. */
const isSettled = ({ stored, toMs }: TakePassage): boolean =>
  stored === 'rejected' || (stored !== null && stored.toMs === toMs);

/**
 * The passages of a take that are off the record. One without an end lasts until the user ends it, also after a crash
 * and after Stop.
 */
export class TakePassages {
  readonly #writer: TakeRecordWriter;

  constructor(writer: TakeRecordWriter) {
    this.#writer = writer;
  }

  get all(): readonly TakePassage[] {
    return this.#writer.record.passages ?? [];
  }

  /**
   * Whether the server has the start of every passage. Until then no byte may be sent: those that follow a press would
   * reach listeners.
   */
  get areStartsStored(): boolean {
    return this.all.every(({ stored }) => stored !== null);
  }

  /** Starts a passage; does nothing if one is open, the id exists, or there are too many. */
  async start(id: string, atMs: number): Promise<void> {
    if (this.all.some(isOpenPassage) || this.#has(id) || this.all.length >= limits.passagesPerRecording)
      return;
    await this.#save([...this.all, { id, atMs: Math.floor(atMs), toMs: null, stored: null }]);
  }

  /** Ends a passage; does nothing if it has ended. */
  async end(id: string, toMs: number): Promise<void> {
    await this.#change(id, (passage) =>
      passage.toMs === null ? { ...passage, toMs: Math.max(passage.atMs, Math.ceil(toMs)) } : passage,
    );
  }

  /** The next passage to send; null if the server has all of them. */
  nextToSend(): TakePassage | null {
    return this.all.find((passage) => !isSettled(passage)) ?? null;
  }

  /** Records what the server has stored of a passage, or that it rejected it. */
  async setStored(id: string, answer: Passage | 'rejected'): Promise<void> {
    const stored = answer === 'rejected' ? answer : { fromMs: answer.fromMs, toMs: answer.toMs };
    await this.#change(id, (passage) => ({
      ...passage,
      stored,
      // An earlier request may have ended it at another moment.
      toMs: stored === 'rejected' || stored.toMs === null ? passage.toMs : stored.toMs,
    }));
  }

  /** Makes all passages be sent again. The server may have lost some that it had stored. */
  async sendAgain(): Promise<void> {
    if (this.all.length === 0) return;
    await this.#save(
      this.all.map((passage) => (passage.stored === 'rejected' ? passage : { ...passage, stored: null })),
    );
  }

  #has(id: string): boolean {
    return this.all.some((passage) => passage.id === id);
  }

  async #change(id: string, change: (passage: TakePassage) => TakePassage): Promise<void> {
    await this.#save(this.all.map((passage) => (passage.id === id ? change(passage) : passage)));
  }

  async #save(passages: readonly TakePassage[]): Promise<void> {
    await this.#writer.change({ passages });
  }
}
