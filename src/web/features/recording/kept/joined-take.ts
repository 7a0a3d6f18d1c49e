import { joinedBytes } from '#audio/ogg/joined-bytes.ts';
import { readSegmentFacts } from '#audio/ogg/joined-facts.ts';
import { layOut } from '#audio/ogg/joined-layout.ts';

/** One piece of a take: its file as the device wrote it, and where it begins on the timeline. */
export interface TakePiece { startMs: number; container: 'ogg' | 'webm' | 'mp4'; file: Blob }

/** A take's sound as one file. */
export interface JoinedAudio {
  audio: Blob;
  /** Silence stands for a piece that only the server can make ready. */
  isPartlySilent: boolean;
}

/** The browser keeps parts of a Blob where it likes, also on the disk: so much is in this page's memory at once. */
const partBytes = 4 * 1024 * 1024;

const mediaTypes = { ogg: 'audio/ogg; codecs=opus', webm: 'audio/webm; codecs=opus', mp4: 'audio/mp4' } as const;

/**
 * Joins the pieces of a take to one file on one timeline, silence in the gaps. A single piece is given as it is;
 * among several only those in Ogg sound, silence stands for the others.
 * @param durationMs how long the whole take is: silence up to there
 */
export async function joinTake(pieces: readonly TakePiece[], durationMs: number): Promise<JoinedAudio> {
  const [only] = pieces;
  const oggs = pieces.filter(({ container }) => container === 'ogg');
  if (only && (pieces.length === 1 && only.startMs === 0 || oggs.length === 0)) {
    return { audio: new Blob([only.file], { type: mediaTypes[only.container] }), isPartlySilent: pieces.length > 1 };
  }
  return { audio: await joinOggs(oggs, durationMs), isPartlySilent: oggs.length < pieces.length };
}

async function joinOggs(pieces: readonly TakePiece[], durationMs: number): Promise<Blob> {
  const read = async (file: Blob | undefined, startByte: number, endByteExclusive: number) =>
    (file === undefined ? new Uint8Array() : new Uint8Array(await file.slice(startByte, endByteExclusive).arrayBuffer()));
  const segments = await Promise.all(pieces.map(async ({ startMs, file }) =>
    ({ startMs, facts: await readSegmentFacts((from, to) => read(file, from, to), file.size) })));
  const layout = layOut(segments, { isEnded: true, endMs: durationMs });
  const parts: Blob[] = [];
  let waiting: BlobPart[] = [];
  let waitingBytes = 0;
  const whole = { startByte: 0, endByteExclusive: layout.sizeBytes };
  for await (const bytes of joinedBytes(layout, (segment, from, to) => read(pieces[segment]?.file, from, to), whole)) {
    waiting.push(Uint8Array.from(bytes));
    waitingBytes += bytes.length;
    if (waitingBytes < partBytes) continue;
    parts.push(new Blob(waiting));
    [waiting, waitingBytes] = [[], 0];
  }
  return new Blob([...parts, ...waiting], { type: mediaTypes.ogg });
}
