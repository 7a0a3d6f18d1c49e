import { second } from '#base/duration.ts';
import type { TakeMarker } from '../messages.ts';
import { Patience } from '../../upload/patience.ts';
import type { UploadAccess, UploadSurroundings } from '../../upload/upload-access.ts';
import { UploadTrouble } from '../../upload/upload-trouble.ts';

/** Markers of a take that the server does not have yet. */
export interface MarkerSource {
  recordingId: string;
  /** The next marker to send, null when there is none for now. */
  next: () => TakeMarker | null;
  setSent: (marker: TakeMarker) => Promise<void>;
  /** No more markers will come. */
  isSealed: () => boolean;
}

/** Sends markers one by one; sending one twice is harmless, because its id was made on the device. */
export class MarkerUpload {
  readonly #source: MarkerSource;
  readonly #access: UploadAccess;
  readonly #patience: Patience;

  constructor(source: MarkerSource, access: UploadAccess, surroundings: UploadSurroundings) {
    this.#source = source;
    this.#access = access;
    this.#patience = new Patience(access, surroundings);
  }

  /** Resolves once the take is sealed and every marker is on the server. */
  async run(): Promise<void> {
    for (;;) {
      const marker = this.#source.next();
      if (marker !== null) await this.#send(marker);
      else if (this.#source.isSealed()) return;
      else await this.#patience.rest(second);
    }
  }

  wake(): void {
    this.#patience.call();
  }

  nudge(): void {
    this.#patience.nudge();
  }

  async #send(marker: TakeMarker): Promise<void> {
    const client = await this.#access.client();
    try {
      const { id, atMs, label } = marker;
      await client.addMarker(this.#source.recordingId, { id, atMs, label });
      this.#patience.succeeded();
    } catch (error) {
      // One marker that can never be stored must not keep the whole recording from being finished; it stays on this device.
      const isHopeless = error instanceof UploadTrouble && error.kind === 'invalid';
      if (!isHopeless) {
        await this.#patience.after(error, client);
        return;
      }
    }
    // Unsaved, it is sent again on the next visit, which is harmless.
    await this.#source.setSent(marker).catch(() => undefined);
  }
}
