import type { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import type { PendingChange, TakeMarker } from '#device/takes/take-record.ts';
import { second } from '#base/duration.ts';

/**
 * A marker is usually named, and a note written, within this time. Both are then sent; what changes later is
 * sent by the page, with the session of its user.
 */
export const settledAfterMs = 30 * second;

/** The markers of a take: changed by the user, sent once they have settled or the take is stopped. */
export class TakeMarkers {
  readonly #writer: TakeRecordWriter;
  readonly #changedAtMs = new Map<string, number>();

  constructor(writer: TakeRecordWriter) {
    this.#writer = writer;
  }

  get all(): TakeMarker[] {
    return this.#writer.record.markers.map(({ id, atMs, label }) => ({ id, atMs, label }));
  }

  /** Adds a marker; a second one of the same id changes nothing. */
  async add(marker: TakeMarker): Promise<void> {
    const { markers } = this.#writer.record;
    if (markers.some(({ id }) => id === marker.id)) return;
    this.#changedAtMs.set(marker.id, Date.now());
    await this.#writer.change({ markers: [...markers, { ...marker, sent: false }] });
  }

  /** Names a marker; one that is on the server already keeps its old name there. */
  async rename(markerId: string, label: string): Promise<void> {
    this.#changedAtMs.set(markerId, Date.now());
    await this.#change(markerId, { label });
  }

  /** Removes a marker from the take; not from the server, where it may be already. */
  async remove(markerId: string): Promise<void> {
    await this.#writer.change({ markers: this.#writer.record.markers.filter(({ id }) => id !== markerId) });
  }

  /** The next marker for the server; `isStopped` hurries those that were only just named. */
  nextToSend(isStopped: boolean): TakeMarker | null {
    const latestMs = Date.now() - settledAfterMs;
    return (
      this.#writer.record.markers.find(
        ({ id, sent }) => !sent && (isStopped || (this.#changedAtMs.get(id) ?? 0) <= latestMs),
      ) ?? null
    );
  }

  /** The server has it as it was sent; what was done to it meanwhile is owed. */
  async setSent({ id, label }: TakeMarker): Promise<void> {
    const now = this.#writer.record.markers.find((marker) => marker.id === id);
    const owed: PendingChange | null = now?.label === label ? null : `marker ${id}`;
    await this.#writer.change(
      {
        markers: this.#writer.record.markers.map((marker) =>
          marker.id === id ? { ...marker, sent: true } : marker,
        ),
      },
      owed,
    );
  }

  async #change(markerId: string, fields: { label: string }): Promise<void> {
    await this.#writer.change({
      markers: this.#writer.record.markers.map((marker) =>
        marker.id === markerId ? { ...marker, ...fields } : marker,
      ),
    });
  }
}
