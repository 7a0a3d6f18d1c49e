import { toneFile } from './ffmpeg-files.ts';

const rateHz = 48_000;
/** The priming of ffmpeg's AAC encoder, which its own edit list skips. */
const primingSamples = 1024;

interface Box {
  type: string;
  at: number;
  endByte: number;
}

function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const found: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    const endByte = at + bytes.readUInt32BE(at);
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), at, endByte });
    at = endByte;
  }
  return found;
}

function boxOf(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** A part to play: its length, and its start in the track; −1 is silence. */
export interface Edit {
  lengthMs: number;
  fromMs: number;
}

function editBox(edits: readonly Edit[]): Buffer {
  const content = Buffer.alloc(8 + 12 * edits.length);
  content.writeUInt32BE(edits.length, 4);
  edits.forEach(({ lengthMs, fromMs }, index) => {
    content.writeUInt32BE(lengthMs, 8 + 12 * index);
    content.writeInt32BE(fromMs < 0 ? -1 : (fromMs * rateHz) / 1000 + primingSamples, 12 + 12 * index);
    content.writeUInt16BE(1, 16 + 12 * index);
  });
  return boxOf('edts', boxOf('elst', content));
}

/** Rewrites a box by replacing each of its children. */
function rewritten(bytes: Buffer, { at, endByte, type }: Box, change: (child: Box) => Buffer): Buffer {
  return boxOf(type, Buffer.concat(boxesIn(bytes, at + 8, endByte).map(change)));
}

/** Six seconds of AAC in MP4 whose edit list plays the given parts, as phones that trim recordings write it. */
export function editedMp4(edits: readonly Edit[]): Buffer {
  const bytes = toneFile('a.m4a', ['-c:a', 'aac', '-b:a', '64k', '-ac', '1']);
  const same = ({ at, endByte }: Box): Buffer => bytes.subarray(at, endByte);
  const track = (trak: Box): Buffer =>
    boxOf(
      'trak',
      Buffer.concat(
        boxesIn(bytes, trak.at + 8, trak.endByte).flatMap((child) =>
          child.type === 'edts' ? [] : child.type === 'tkhd' ? [same(child), editBox(edits)] : [same(child)],
        ),
      ),
    );
  return Buffer.concat(
    boxesIn(bytes, 0, bytes.length).map((box) =>
      box.type === 'moov'
        ? rewritten(bytes, box, (child) => (child.type === 'trak' ? track(child) : same(child)))
        : same(box),
    ),
  );
}
