import type { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import type { PendingChange } from '#device/records/pending-change.ts';
import type { TakeMarker } from '#device/records/take-record.ts';
import { second } from '#base/duration.ts';
import { type Addition, SentTexts, type TextOnServer } from '#device/sync/sent-texts.ts';

/**
 * Most users name a marker or write a note within this time. It is sent after that; the page sends later changes
 * with the session of its user.
 */
export const settledAfterMs = 30 * second;

/** The markers of a take. They are sent once they have been unchanged for `settledAfterMs` or the take is stopped. */
export class TakeMarkers {
  readonly #writer: TakeRecordWriter;
  readonly #changedAtMs = new Map<string, number>();
  /** Those that were sent, and are sent again. */
  readonly #resent = new Set<string>();

  readonly #sentLabels = new SentTexts();

  constructor(writer: TakeRecordWriter) {
    this.#writer = writer;
  }

  get all(): TakeMarker[] {
    return this.#writer.record.markers.map(({ id, atMs, label }) => ({ id, atMs, label }));
  }

  /** Adds a marker; does nothing if the id exists. */
  async add(marker: TakeMarker): Promise<void> {
    const { markers } = this.#writer.record;
    if (markers.some(({ id }) => id === marker.id)) return;
    this.#changedAtMs.set(marker.id, Date.now());
    await this.#writer.change({ markers: [...markers, { ...marker, sent: false }] });
  }

  /** Renames a marker on this device only. */
  async rename(markerId: string, label: string): Promise<void> {
    this.#changedAtMs.set(markerId, Date.now());
    await this.#change(markerId, { label });
  }

  /** Deletes a marker on this device only; the server may already have it. */
  async remove(markerId: string): Promise<void> {
    await this.#writer.change({ markers: this.#writer.record.markers.filter(({ id }) => id !== markerId) });
  }

  /** The next marker to send; `isStopped` includes markers that were changed just now. */
  nextToSend(isStopped: boolean): TakeMarker | null {
    const latestMs = Date.now() - settledAfterMs;
    return (
      this.#writer.record.markers.find(
        ({ id, sent }) =>
          this.#resent.has(id) || (!sent && (isStopped || (this.#changedAtMs.get(id) ?? 0) <= latestMs)),
      ) ?? null
    );
  }

  /** Makes one attempt to add a marker to the recording. @returns the label that the server has */
  async send({ id, label }: TakeMarker, add: () => Promise<Addition>): Promise<TextOnServer> {
    const isResent = this.#resent.has(id);
    const { text } = await this.#sentLabels.send({ id, text: label }, add);
    // Until the server has a marker, later labels are no pending changes.
    return { text: isResent ? label : text };
  }

  /** Records that the server has a marker. Another label here than there becomes a pending change. */
  async setSent({ id, label }: TakeMarker, answer: TextOnServer | 'rejected'): Promise<void> {
    this.#resent.delete(id);
    const now = this.#writer.record.markers.find((marker) => marker.id === id);
    const sentLabel = answer === 'rejected' ? label : answer.text;
    const owed: PendingChange | null = now?.label === sentLabel ? null : { kind: 'marker', id };
    await this.#writer.change(
      {
        markers: this.#writer.record.markers.map((marker) =>
          marker.id === id ? { ...marker, sent: true } : marker,
        ),
      },
      owed,
    );
  }

  /** Makes the markers that were sent be sent again. The server may have lost some. */
  sendAgain(): void {
    for (const { id, sent } of this.#writer.record.markers) if (sent) this.#resent.add(id);
  }

  async #change(markerId: string, fields: { label: string }): Promise<void> {
    await this.#writer.change({
      markers: this.#writer.record.markers.map((marker) =>
        marker.id === markerId ? { ...marker, ...fields } : marker,
      ),
    });
  }
}
