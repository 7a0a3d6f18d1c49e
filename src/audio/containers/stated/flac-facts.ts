import { second } from '#base/duration.ts';
import { afterTags } from '#audio/containers/mp3-frames.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import type { StatedFacts } from './stated-facts.ts';

/** From the magic number to the MD5 of the samples (RFC 9639 §8.2). */
const headBytes = 26;

/**
 * Facts stated by a FLAC file. Recorders that write into a pipe leave the number of samples open, and Firefox
 * rejects a tag at the start.
 */
export async function flacFacts(file: PieceFile): Promise<StatedFacts> {
  const startsAt = await afterTags(file);
  const head = await file.read(startsAt, startsAt + headBytes);
  const facts: StatedFacts = { obstacles: startsAt === 0 ? [] : ['foreign-bytes'], lengthsMs: [] };
  if (head.length < headBytes || String.fromCharCode(...head.subarray(0, 4)) !== 'fLaC') return facts;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const sampleRateHz = view.getUint32(18) >>> 12;
  const samples = (view.getUint8(21) & 0x0f) * 2 ** 32 + view.getUint32(22);
  if (samples === 0) facts.obstacles.push('no-length');
  else if (sampleRateHz > 0) facts.lengthsMs.push((samples * second) / sampleRateHz);
  return facts;
}
