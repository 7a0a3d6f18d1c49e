import { ebmlElementAt } from './ebml.ts';
import type { PieceFile } from './mp4-boxes.ts';

/** Element ids (RFC 9559 §5.1). */
const ids = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
};
/** Their children are read; all other elements are skipped. */
const parents: ReadonlySet<number> = new Set([ids.segment, ids.info, ids.cluster, ids.blockGroup]);
const windowBytes = 256 * 1024;
/** Covers the header of an element, and the numbers at its start that are read. */
const readBytes = 32;
const defaultScaleNs = 1_000_000;

const unsigned = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

/** The time of a block from that of its cluster, after the number of its track (RFC 9559 §10.1). */
function relativeTime(content: Uint8Array): number {
  const trackBytes = Math.clz32(content[0] ?? 0) - 23;
  const time = unsigned(content.subarray(trackBytes, trackBytes + 2));
  return time < 0x8000 ? time : time - 0x10000;
}

/**
 * The start of the last complete block of a WebM file in milliseconds, which is the least that the file lasts. Reads a
 * file whose end is missing, as after a kill. Null if there is no block, or if it is no WebM. Memory use does not grow
 * with the length.
 */
export async function lastWebmBlockMs({ sizeBytes, read }: PieceFile): Promise<number | null> {
  let [windowAt, bytes] = [0, new Uint8Array(0)];
  let scaleNs = defaultScaleNs;
  let clusterTime = 0;
  let lastTime: number | null = null;
  for (let at = 0; at < sizeBytes;) {
    if (at + readBytes > windowAt + bytes.length && windowAt + bytes.length < sizeBytes) {
      bytes = new Uint8Array(await read(at, Math.min(sizeBytes, at + windowBytes)));
      windowAt = at;
    }
    const element = ebmlElementAt(bytes, at - windowAt);
    if (element === null || (at === 0 && element.id !== ids.header)) break;
    const { id } = element;
    const endByte = element.endByte === null ? null : windowAt + element.endByte;
    const content = bytes.subarray(element.contentByte, element.endByte ?? bytes.length);
    if (parents.has(id)) at = windowAt + element.contentByte;
    else if (endByte === null || endByte > sizeBytes) break;
    else {
      if (id === ids.timestampScale) scaleNs = unsigned(content);
      else if (id === ids.timestamp) clusterTime = unsigned(content);
      else if (id === ids.simpleBlock || id === ids.block)
        lastTime = Math.max(lastTime ?? 0, clusterTime + relativeTime(content));
      at = endByte;
    }
  }
  return lastTime === null ? null : Math.floor((lastTime * scaleNs) / 1_000_000);
}
