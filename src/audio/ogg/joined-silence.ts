import { writeOggPage } from './ogg-page.ts';
import { opusGranuleRateHz } from './opus-packet.ts';

/** Silence as pages of one second each, fully determined by these numbers. */
export interface SilentPages {
  /** A multiple of `minSilenceSamples`. */
  samples: number;
  startsAt: number;
  firstSequenceNumber: number;
  serialNumber: number;
  channels: number;
  /** True if the last page has the end-of-stream flag. */
  endsStream: boolean;
}

const longPacketSamples = opusGranuleRateHz / 50;
/** The shortest Opus frame, 2.5 ms (RFC 6716 §2.1.4): silence has a length in steps of it. */
export const minSilenceSamples = opusGranuleRateHz / 400;
const packetBytes = 3;
const bytesPerPacket = packetBytes + 1;
const pageHeaderBytes = 27;
const stereoBit = 0x04;
/**
 * CELT, full band (RFC 6716 table 2): configuration 31 is 20 ms, 28 is 2.5 ms; `FF FE` decodes to silence.
 */
const longToc = 31 << 3;
const shortToc = 28 << 3;

const packetsIn = (samples: number): { long: number; short: number } => ({
  long: Math.floor(samples / longPacketSamples),
  short: Math.round((samples % longPacketSamples) / minSilenceSamples),
});
const pageBytes = (samples: number): number => {
  const { long, short } = packetsIn(samples);
  return pageHeaderBytes + (long + short) * bytesPerPacket;
};
const fullPageBytes = pageBytes(opusGranuleRateHz);

/** The number of pages of a silence of this length. */
export const silentPageCount = (samples: number): number => Math.ceil(samples / opusGranuleRateHz);

/** The number of bytes of a silence of this length. */
export function silentBytes(samples: number): number {
  const rest = samples % opusGranuleRateHz;
  return Math.floor(samples / opusGranuleRateHz) * fullPageBytes + (rest === 0 ? 0 : pageBytes(rest));
}

function pageAt(silence: SilentPages, index: number): Uint8Array {
  const before = index * opusGranuleRateHz;
  const samples = Math.min(opusGranuleRateHz, silence.samples - before);
  const { long, short } = packetsIn(samples);
  const bit = silence.channels === 2 ? stereoBit : 0;
  const packets = [...Array<number>(long).fill(longToc), ...Array<number>(short).fill(shortToc)].map((toc) =>
    Uint8Array.of(toc | bit, 0xff, 0xfe),
  );
  return writeOggPage({
    packets,
    granulePosition: silence.startsAt + before + samples,
    serialNumber: silence.serialNumber,
    sequenceNumber: silence.firstSequenceNumber + index,
    startsStream: false,
    endsStream: silence.endsStream && before + samples === silence.samples,
  });
}

/** A range of the bytes of a silence, one page at a time. */
export function* silentBytesBetween(
  silence: SilentPages,
  startByte: number,
  endByteExclusive: number,
): Generator<Uint8Array> {
  const pages = silentPageCount(silence.samples);
  // The last page may have more bytes than a full one, because its rest has shorter packets.
  for (let index = Math.min(pages - 1, Math.floor(startByte / fullPageBytes)); index < pages; index += 1) {
    const pageStartsAt = index * fullPageBytes;
    if (pageStartsAt >= endByteExclusive) return;
    yield pageAt(silence, index).subarray(
      Math.max(0, startByte - pageStartsAt),
      endByteExclusive - pageStartsAt,
    );
  }
}
