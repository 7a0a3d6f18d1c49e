import { changeTake } from '../takes-store.ts';
import type { TakeRecord } from '../take-record.ts';

/** What the worker knows of its take, in memory and, a moment later, on the disk. */
export class KeptTake {
  #record: TakeRecord;

  constructor(record: TakeRecord) {
    this.#record = record;
  }

  get record(): Readonly<TakeRecord> {
    return this.#record;
  }

  /**
   * Changes the take here at once; resolves when the disk has it. Whether a take is in the trash is the page's to say,
   * and a take that was removed meanwhile does not come back.
   */
  async change(fields: Partial<Omit<TakeRecord, 'id' | 'deletedAtMs'>>): Promise<void> {
    this.#record = { ...this.#record, ...fields, updatedAtMs: Date.now() };
    await changeTake(this.#record.id, (stored) => ({ ...this.#record, deletedAtMs: stored.deletedAtMs }));
  }
}
