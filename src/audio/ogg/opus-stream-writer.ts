import { writeOggPage } from './ogg-page.ts';
import { type OpusHead, writeOpusHead, writeOpusTags } from './opus-headers.ts';
import { opusPacketSamples } from './opus-packet.ts';

const packetsPerPage = 10;
/**
 * Packets held back from a full page, so that packets of the final flush beyond the end of the sound can be
 * trimmed.
 */
const packetsHeldBack = 2;

export interface OpusStreamOptions extends OpusHead {
  /** Any number that no other stream in the same file has (RFC 3533 §6 field 5). */
  serialNumber: number;
  vendor: string;
}

/** A page and the position at its end. */
export interface WrittenPage {
  bytes: Uint8Array;
  /** At 48 kHz, including pre-skip. */
  granulePosition: number;
}

/** Packs Opus packets into Ogg pages of ten: with 20 ms packets, a page every 200 ms (RFC 7845 §3, §4). */
export class OpusStreamWriter {
  readonly #options: OpusStreamOptions;
  #pending: { packet: Uint8Array; endsAt: number }[] = [];
  #sequenceNumber = 0;
  #samples = 0;

  constructor(options: OpusStreamOptions) {
    this.#options = options;
  }

  /** The two header pages, which must come first, each alone on its page with granule position 0 (RFC 7845 §3). */
  headers(): WrittenPage[] {
    const head = this.#page([writeOpusHead(this.#options)], { granulePosition: 0, startsStream: true });
    const tags = this.#page([writeOpusTags({ vendor: this.#options.vendor, comments: [] })], {
      granulePosition: 0,
    });
    return [head, tags];
  }

  /**
   * Adds one packet. Returns a page once it is full, otherwise null. The packet is referenced until then and must
   * not be changed.
   */
  push(packet: Uint8Array): WrittenPage | null {
    this.#samples += opusPacketSamples(packet);
    this.#pending.push({ packet, endsAt: this.#samples });
    if (this.#pending.length < packetsPerPage + packetsHeldBack) return null;
    const full = this.#pending.splice(0, packetsPerPage);
    return this.#page(
      full.map(({ packet: bytes }) => bytes),
      { granulePosition: full.at(-1)?.endsAt ?? 0 },
    );
  }

  /** A page of the pending packets, as if the file ended here; null if there are none. Does not change the stream. */
  provisional(): Uint8Array | null {
    const last = this.#pending.at(-1);
    if (last === undefined) return null;
    return writeOggPage({
      packets: this.#pending.map(({ packet }) => packet),
      granulePosition: last.endsAt,
      serialNumber: this.#options.serialNumber,
      sequenceNumber: this.#sequenceNumber,
      startsStream: false,
      endsStream: false,
    });
  }

  /**
   * The last pages: the pending packets, cut to exactly `samples` of sound at 48 kHz by the granule position of
   * the final page (RFC 7845 §4.4). Drops packets completely beyond that.
   */
  finish(samples: number): WrittenPage[] {
    const granulePosition = Math.min(this.#options.preSkip + samples, this.#samples);
    const retained = this.#pending.filter(
      ({ endsAt, packet }, index) => index === 0 || endsAt - opusPacketSamples(packet) < granulePosition,
    );
    this.#pending = [];
    const pages: WrittenPage[] = [];
    while (retained.length > packetsPerPage) {
      const full = retained.splice(0, packetsPerPage);
      pages.push(
        this.#page(
          full.map(({ packet }) => packet),
          { granulePosition: full.at(-1)?.endsAt ?? 0 },
        ),
      );
    }
    pages.push(
      this.#page(
        retained.map(({ packet }) => packet),
        { granulePosition, endsStream: true },
      ),
    );
    return pages;
  }

  #page(
    packets: Uint8Array[],
    page: { granulePosition: number; startsStream?: boolean; endsStream?: boolean },
  ): WrittenPage {
    const bytes = writeOggPage({
      packets,
      granulePosition: page.granulePosition,
      serialNumber: this.#options.serialNumber,
      sequenceNumber: this.#sequenceNumber,
      startsStream: page.startsStream ?? false,
      endsStream: page.endsStream ?? false,
    });
    this.#sequenceNumber += 1;
    return { bytes, granulePosition: page.granulePosition };
  }
}
