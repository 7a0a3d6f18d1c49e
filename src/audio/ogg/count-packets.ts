import { maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { maxOggPageBytes } from './ogg-page.ts';
import type { ReadBytes } from './joined-facts.ts';
import { opusGranuleRateHz, opusPacketSamples } from './opus-packet.ts';

const pieceBytes = 1024 * 1024;
const capturePattern = [0x4f, 0x67, 0x67, 0x53]; // "OggS"
const headerBytes = 27;

const isPage = (bytes: Uint8Array, at: number): boolean =>
  capturePattern.every((byte, index) => bytes[at + index] === byte);

interface ReadPage {
  sizeBytes: number;
  samples: number;
}

/** The sound of the packets that start on a page, and the offset of its end. */
function packetsOn(
  bytes: Uint8Array,
  { lacing, payloadAt, continuesPacket }: { lacing: Uint8Array; payloadAt: number; continuesPacket: boolean },
): { samples: number; endsAt: number } {
  let isWithinPacket = continuesPacket;
  let samples = 0;
  let at = payloadAt;
  for (const length of lacing) {
    if (!isWithinPacket) samples += opusPacketSamples(bytes.subarray(at, Math.min(at + length, at + 2)));
    isWithinPacket = length === 255;
    at += length;
  }
  return { samples, endsAt: at };
}

/** Reads the page at an offset by its header only; null if no page starts there, or it is incomplete. */
function pageAt(bytes: Uint8Array, at: number): ReadPage | null {
  if (at + headerBytes > bytes.length || !isPage(bytes, at)) return null;
  const payloadAt = at + headerBytes + (bytes[at + 26] ?? 0);
  const { samples, endsAt } = packetsOn(bytes, {
    lacing: bytes.subarray(at + headerBytes, payloadAt),
    payloadAt,
    continuesPacket: ((bytes[at + 5] ?? 0) & 1) === 1,
  });
  return Math.max(payloadAt, endsAt) > bytes.length ? null : { sizeBytes: endsAt - at, samples };
}

/** The offset of the next possible page; the end of the bytes if there is none. */
function nextPage(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x4f, from); at >= 0; at = bytes.indexOf(0x4f, at + 1))
    if (isPage(bytes, at)) return at;
  return bytes.length;
}

/**
 * Counts the sound of all packets of an Ogg/Opus file at 48 kHz from page headers only, whatever the positions on
 * the pages are. Bytes without a page count as much sound as they could hold, so that damage on the disk does not
 * make the rest shorter. Linear time, constant memory.
 * @param startByte offset after the header pages
 */
export async function countPacketSamples(
  read: ReadBytes,
  { startByte, sizeBytes }: { startByte: number; sizeBytes: number },
): Promise<number> {
  let samples = 0;
  let skippedBytes = 0;
  for (let at = startByte; at < sizeBytes;) {
    const bytes = await read(at, Math.min(sizeBytes, at + pieceBytes));
    if (bytes.length === 0) break;
    const isEnd = at + bytes.length >= sizeBytes;
    let done = 0;
    while (done < bytes.length) {
      const page = pageAt(bytes, done);
      if (page !== null) {
        samples += page.samples;
        done += page.sizeBytes;
      } else if (!isEnd && bytes.length - done < maxOggPageBytes) break;
      else {
        const next = nextPage(bytes, done + 1);
        skippedBytes += next - done;
        done = next;
      }
    }
    at += done;
  }
  return samples + Math.floor((maxSoundMsOf(skippedBytes) * opusGranuleRateHz) / 1000);
}
