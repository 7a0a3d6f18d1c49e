import { freeType, repeatedFragmentAt } from '#audio/containers/repeated-fragment.ts';
import { joinedBytes } from '#audio/ogg/joined-bytes.ts';
import { layOutWindow } from '#audio/ogg/cut-segment.ts';
import { type ReadBytes, readSegmentFacts } from '#audio/ogg/joined-facts.ts';
import { type JoinableSegment, type JoinedLayout, layOut } from '#audio/ogg/joined-layout.ts';
import { audioSectionCount, audioSectionWindow } from '#contract/audio-sections.ts';
import { limits } from '#contract/limits.ts';

/** One piece of a take: its file as the device wrote it, and its start on the timeline. */
export interface TakePiece {
  startMs: number;
  container: 'ogg' | 'webm' | 'mp4';
  file: Blob;
}

/** A take's audio as one file. */
export interface JoinedAudio {
  audio: Blob;
  /** Whether a piece that only the server can convert was replaced by silence. */
  isPartlySilent: boolean;
}

/**
 * The size of the Blob's parts. Browsers may store parts of a Blob on disk, so that only this many bytes are in
 * the page's memory at a time.
 */
const partBytes = 4 * 1024 * 1024;

const mediaTypes = {
  ogg: 'audio/ogg; codecs=opus',
  webm: 'audio/webm; codecs=opus',
  mp4: 'audio/mp4',
} as const;

/**
 * Joins the pieces of a take into one file on one timeline, with silence in the gaps. A single piece is returned
 * as it is, but for a repeated header. Of several pieces only those in Ogg are used; the others are replaced by silence.
 * @param durationMs the length of the take; silence is added up to there
 */
export async function joinTake(pieces: readonly TakePiece[], durationMs: number): Promise<JoinedAudio> {
  const [only] = pieces;
  const oggs = pieces.filter(({ container }) => container === 'ogg');
  if (only && ((pieces.length === 1 && only.startMs === 0) || oggs.length === 0)) {
    return {
      audio: new Blob(await partsOf(only), { type: mediaTypes[only.container] }),
      isPartlySilent: pieces.length > 1,
    };
  }
  const layout = layOut(await timelineOf(oggs), { isEnded: true, endMs: durationMs });
  return { audio: await blobOf(layout, oggs), isPartlySilent: oggs.length < pieces.length };
}

/**
 * Like `joinTake`, in sections for the player; null if the take is short enough to be loaded whole, or not in Ogg.
 * @see audioSectionWindow
 */
export async function joinTakeSections(
  pieces: readonly TakePiece[],
  durationMs: number,
): Promise<Blob[] | null> {
  const oggs = pieces.filter(({ container }) => container === 'ogg');
  const count = oggs.length === 0 ? 1 : audioSectionCount(durationMs, limits.audioSectionMs);
  if (count === 1) return null;
  const timeline = await timelineOf(oggs);
  const sections: Blob[] = [];
  for (let section = 0; section < count; section += 1) {
    const window = audioSectionWindow(section, { durationMs, isEnded: true });
    if (window !== null)
      sections.push(
        await blobOf(
          await layOutWindow(timeline, (segment) => readerOf(oggs[segment]?.file), {
            window,
            isEnded: true,
            endMs: durationMs,
          }),
          oggs,
        ),
      );
  }
  return sections;
}

/** The parts of a piece's file. A header that is repeated in MP4 would be heard as noise. */
async function partsOf({ container, file }: TakePiece): Promise<BlobPart[]> {
  const typeAt = container === 'mp4' ? await repeatedFragmentAt(readerOf(file), file.size) : null;
  return typeAt === null ? [file] : [file.slice(0, typeAt), freeType, file.slice(typeAt + freeType.length)];
}

const readerOf =
  (file: Blob | undefined): ReadBytes =>
  async (startByte, endByteExclusive) =>
    file === undefined
      ? new Uint8Array()
      : new Uint8Array(await file.slice(startByte, endByteExclusive).arrayBuffer());

const timelineOf = (pieces: readonly TakePiece[]): Promise<JoinableSegment[]> =>
  Promise.all(
    pieces.map(async ({ startMs, file }) => ({
      startMs,
      facts: await readSegmentFacts(readerOf(file), file.size),
    })),
  );

async function blobOf(layout: JoinedLayout, pieces: readonly TakePiece[]): Promise<Blob> {
  const parts: Blob[] = [];
  let waiting: BlobPart[] = [];
  let waitingBytes = 0;
  const whole = { startByte: 0, endByteExclusive: layout.sizeBytes };
  for await (const bytes of joinedBytes(
    layout,
    (segment, from, to) => readerOf(pieces[segment]?.file)(from, to),
    whole,
  )) {
    waiting.push(Uint8Array.from(bytes));
    waitingBytes += bytes.length;
    if (waitingBytes < partBytes) continue;
    parts.push(new Blob(waiting));
    [waiting, waitingBytes] = [[], 0];
  }
  return new Blob([...parts, ...waiting], { type: mediaTypes.ogg });
}
