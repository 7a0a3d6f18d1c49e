import { type EbmlElement, ebmlElementAt, readEbmlElement } from '#audio/containers/ebml.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import type { StatedFacts } from './stated-facts.ts';

/** Element ids (RFC 9559 §5.1). */
const ids = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  info: 0x1549a966,
  duration: 0x4489,
  timestampScale: 0x2ad7b1,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
};
/** Twice the clusters of a day at one a second. */
const maxElements = 200_000;
const maxInfoBytes = 64 * 1024;

function* elementsOf(bytes: Uint8Array): Generator<EbmlElement & { content: Uint8Array }> {
  for (let at = 0; at < bytes.length;) {
    const element = ebmlElementAt(bytes, at);
    if (element === null || element.endByte === null || element.endByte <= at) return;
    yield { ...element, content: bytes.subarray(element.contentByte, element.endByte) };
    at = element.endByte;
  }
}

const unsigned = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

function durationMsOf(info: Uint8Array): number | null {
  const parts = new Map([...elementsOf(info)].map(({ id, content }) => [id, content]));
  const duration = parts.get(ids.duration);
  if (duration === undefined || (duration.length !== 4 && duration.length !== 8)) return null;
  const view = new DataView(duration.buffer, duration.byteOffset, duration.length);
  const scale = parts.get(ids.timestampScale);
  return (
    ((duration.length === 4 ? view.getFloat32(0) : view.getFloat64(0)) *
      (scale === undefined ? 1_000_000 : unsigned(scale))) /
    1_000_000
  );
}

/** The offset of the cues in a SeekHead, from the start of the segment's content. */
function cuesPlace(seekHead: Uint8Array): number | null {
  for (const { id, content } of elementsOf(seekHead)) {
    if (id !== ids.seek) continue;
    const [target, place] = [...elementsOf(content)].map((part) => part.content);
    if (target !== undefined && place !== undefined && unsigned(target) === ids.cues) return unsigned(place);
  }
  return null;
}

async function contentOf(
  { sizeBytes, read }: PieceFile,
  { contentByte, endByte }: EbmlElement,
): Promise<Uint8Array> {
  return read(contentByte, Math.min(endByte ?? sizeBytes, contentByte + maxInfoBytes));
}

async function segmentOf(file: PieceFile): Promise<EbmlElement | null> {
  const header = await readEbmlElement(file, 0);
  const segment =
    header?.id === ids.header && header.endByte !== null ? await readEbmlElement(file, header.endByte) : null;
  return segment?.id === ids.segment ? segment : null;
}

/** The elements of a segment, up to the first one whose end is unknown. */
async function* partsOf(file: PieceFile, segment: EbmlElement): AsyncGenerator<EbmlElement> {
  let at = segment.contentByte;
  for (let count = 0; count < maxElements; count += 1) {
    const element = await readEbmlElement(file, at);
    if (element === null) return;
    yield element;
    if (element.endByte === null || element.endByte <= at) return;
    at = element.endByte;
  }
}

/** Whether a SeekHead's offset of the cues is right. */
async function leadsToCues(file: PieceFile, segment: EbmlElement, seekHead: EbmlElement): Promise<boolean> {
  const place = cuesPlace(await contentOf(file, seekHead));
  return place !== null && (await readEbmlElement(file, segment.contentByte + place))?.id === ids.cues;
}

/** The length stated by a segment, and whether it has cues. */
async function statedBy(
  file: PieceFile,
  segment: EbmlElement,
): Promise<{ durationMs: number; hasCues: boolean }> {
  const stated = { durationMs: 0, hasCues: false };
  for await (const part of partsOf(file, segment)) {
    if (part.id === ids.info) stated.durationMs = durationMsOf(await contentOf(file, part)) ?? 0;
    if (part.id === ids.cues || (part.id === ids.seekHead && (await leadsToCues(file, segment, part))))
      stated.hasCues = true;
    if (stated.hasCues && stated.durationMs > 0) break;
  }
  return stated;
}

/**
 * Facts stated by a WebM file. MediaRecorder writes it without length and cues, because it writes while it
 * records.
 */
export async function webmFacts(file: PieceFile): Promise<StatedFacts> {
  const segment = await segmentOf(file);
  const { durationMs, hasCues } =
    segment === null ? { durationMs: 0, hasCues: false } : await statedBy(file, segment);
  const hasLength = durationMs > 0;
  return {
    obstacles: [...(hasLength ? [] : ['no-length' as const]), ...(hasCues ? [] : ['no-index' as const])],
    lengthsMs: hasLength ? [durationMs] : [],
  };
}
