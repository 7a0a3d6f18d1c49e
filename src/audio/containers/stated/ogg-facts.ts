import { second } from '#base/duration.ts';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import type { PieceFile } from '../mp4-boxes.ts';
import type { StatedFacts } from './stated-facts.ts';

/** A page is no longer: its header, 255 lengths and as many times 255 bytes (RFC 3533 §6). */
const longestPageBytes = 27 + 255 + 255 * 255;
const headBytes = 512;

interface Page { serial: number; granule: bigint; endByte: number; payloadAt: number }

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

function pageAt(bytes: Uint8Array, at: number): Page | null {
  if (at + 27 > bytes.length || latin1(bytes.subarray(at, at + 4)) !== 'OggS') return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const payloadAt = at + 27 + view.getUint8(26);
  if (payloadAt > bytes.length) return null;
  const payloadBytes = bytes.subarray(at + 27, payloadAt).reduce((sum, each) => sum + each, 0);
  return { serial: view.getUint32(14, true), granule: view.getBigInt64(6, true), payloadAt, endByte: payloadAt + payloadBytes };
}

/** The last page that is there to its end, and on which a packet ends. */
function lastWholePage(bytes: Uint8Array): Page | null {
  for (let at = bytes.length - 27; at >= 0; at -= 1) {
    const page = bytes[at] === 0x4f ? pageAt(bytes, at) : null;
    if (page !== null && page.endByte <= bytes.length && page.granule >= 0n) return page;
  }
  return null;
}

/** The clock of a stream of Opus or Vorbis, and the samples before its zero; null of any other codec. */
function clockOf(bytes: Uint8Array, { payloadAt }: Page): { rateHz: number; skipped: number } | null {
  const packet = new DataView(bytes.buffer, bytes.byteOffset + payloadAt, bytes.length - payloadAt);
  if (packet.byteLength < 19) return null;
  if (latin1(bytes.subarray(payloadAt, payloadAt + 8)) === 'OpusHead') return { rateHz: opusGranuleRateHz, skipped: packet.getUint16(10, true) };
  return latin1(bytes.subarray(payloadAt + 1, payloadAt + 7)) === 'vorbis' ? { rateHz: packet.getUint32(12, true), skipped: 0 } : null;
}

/** What an Ogg file states of itself: its last page says how long it is, and whose stream that page belongs to. */
export async function oggFacts(file: PieceFile): Promise<StatedFacts> {
  const head = await file.read(0, headBytes);
  const first = pageAt(head, 0);
  const tailAt = Math.max(0, file.sizeBytes - 2 * longestPageBytes);
  const tail = await file.read(tailAt, file.sizeBytes);
  const last = lastWholePage(tail);
  if (first === null || last === null) return { obstacles: ['foreign-bytes'], lengthsMs: [] };
  const clock = clockOf(head, first);
  const obstacles: StatedFacts['obstacles'] = [];
  if (last.serial !== first.serial) obstacles.push('several-streams');
  if (tailAt + last.endByte !== file.sizeBytes) obstacles.push('foreign-bytes');
  return { obstacles, lengthsMs: clock === null || clock.rateHz === 0 ? [] : [(Number(last.granule - BigInt(clock.skipped)) / clock.rateHz) * second] };
}
