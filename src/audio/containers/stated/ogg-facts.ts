import { second } from '#base/duration.ts';
import { maxOggPageBytes, type OggPage, readOggPage } from '#audio/ogg/ogg-page.ts';
import { lastPageIn } from '#audio/ogg/ogg-prefix.ts';
import { readOpusHead } from '#audio/ogg/opus-headers.ts';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import type { StatedFacts } from './stated-facts.ts';

const headBytes = 512;

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** The last complete page on which a packet ends. */
function lastWholePage(bytes: Uint8Array): { endsAtBytes: number; page: OggPage } | null {
  for (
    let found = lastPageIn(bytes);
    found !== null;
    found = lastPageIn(bytes.subarray(0, found.endsAtBytes - found.page.sizeBytes))
  ) {
    if (found.page.granulePosition >= 0) return found;
  }
  return null;
}

/** The clock of an Opus or Vorbis stream, and the samples before its zero; null for any other codec. */
function clockOf({ payload }: OggPage): { rateHz: number; skipped: number } | null {
  const opus = readOpusHead(payload);
  if (opus !== null) return { rateHz: opusGranuleRateHz, skipped: opus.preSkip };
  if (payload.length < 16 || latin1(payload.subarray(1, 7)) !== 'vorbis') return null;
  return {
    rateHz: new DataView(payload.buffer, payload.byteOffset, payload.length).getUint32(12, true),
    skipped: 0,
  };
}

/** Facts stated by an Ogg file: its last page has the length and the serial number of its stream. */
export async function oggFacts(file: PieceFile): Promise<StatedFacts> {
  const head = await file.read(0, headBytes);
  const first = readOggPage(head);
  const tailAt = Math.max(0, file.sizeBytes - 2 * maxOggPageBytes);
  const tail = await file.read(tailAt, file.sizeBytes);
  const last = lastWholePage(tail);
  if (first === null || last === null) return { obstacles: ['foreign-bytes'], lengthsMs: [] };
  const clock = clockOf(first);
  const obstacles: StatedFacts['obstacles'] = [];
  if (last.page.serialNumber !== first.serialNumber) obstacles.push('several-streams');
  if (tailAt + last.endsAtBytes !== file.sizeBytes) obstacles.push('foreign-bytes');
  return {
    obstacles,
    lengthsMs:
      clock === null || clock.rateHz === 0
        ? []
        : [((last.page.granulePosition - clock.skipped) / clock.rateHz) * second],
  };
}
