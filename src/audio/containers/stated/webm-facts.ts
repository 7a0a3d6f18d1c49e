import type { PieceFile } from '../mp4-boxes.ts';
import type { StatedFacts } from './stated-facts.ts';

/** Ids of elements (RFC 9559 §5.1). */
const ids = { header: 0x1a45dfa3, segment: 0x18538067, seekHead: 0x114d9b74, seek: 0x4dbb, seekId: 0x53ab, info: 0x1549a966, duration: 0x4489, timestampScale: 0x2ad7b1, cluster: 0x1f43b675, cues: 0x1c53bb6b };
/** Clusters of a day, one a second, and as many again. */
const mostElements = 200_000;
const mostInfoBytes = 64 * 1024;

interface Element { id: number; contentAt: number; endByte: number | null }

/** A number of one to eight bytes whose first bit that is set says how many (RFC 8794 §4); null for all ones, which means unknown. */
function numberAt(bytes: Uint8Array, at: number, keepsMarker: boolean): { value: number | null; bytes: number } | null {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || at + length > bytes.length) return null;
  const marker = 1 << (8 - length);
  let value = keepsMarker ? first : first & (marker - 1);
  let isUnknown = (first & (marker - 1)) === marker - 1;
  for (const byte of bytes.subarray(at + 1, at + length)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown && !keepsMarker ? null : value, bytes: length };
}

function elementAt(bytes: Uint8Array, at: number): Element | null {
  const id = numberAt(bytes, at, true);
  const size = id && numberAt(bytes, at + id.bytes, false);
  if (!id || !size || id.value === null) return null;
  const contentAt = at + id.bytes + size.bytes;
  return { id: id.value, contentAt, endByte: size.value === null ? null : contentAt + size.value };
}

function* elementsOf(bytes: Uint8Array): Generator<Element & { content: Uint8Array }> {
  for (let at = 0; at < bytes.length;) {
    const element = elementAt(bytes, at);
    if (element === null || element.endByte === null || element.endByte <= at) return;
    yield { ...element, content: bytes.subarray(element.contentAt, element.endByte) };
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
  return ((duration.length === 4 ? view.getFloat32(0) : view.getFloat64(0)) * (scale === undefined ? 1_000_000 : unsigned(scale))) / 1_000_000;
}

/** Where a SeekHead says that the cues are, from the beginning of the segment's content. */
function cuesPlace(seekHead: Uint8Array): number | null {
  for (const { id, content } of elementsOf(seekHead)) {
    if (id !== ids.seek) continue;
    const [target, place] = [...elementsOf(content)].map((part) => part.content);
    if (target !== undefined && place !== undefined && unsigned(target) === ids.cues) return unsigned(place);
  }
  return null;
}

/** Reads elements where they are asked for, by their headers alone. */
async function elementIn({ sizeBytes, read }: PieceFile, at: number): Promise<Element | null> {
  const element = at >= sizeBytes ? null : elementAt(await read(at, at + 12), 0);
  return element && { ...element, contentAt: at + element.contentAt, endByte: element.endByte === null ? null : at + element.endByte };
}

async function contentOf({ sizeBytes, read }: PieceFile, { contentAt, endByte }: Element): Promise<Uint8Array> {
  return read(contentAt, Math.min(endByte ?? sizeBytes, contentAt + mostInfoBytes));
}

async function segmentOf(file: PieceFile): Promise<Element | null> {
  const header = await elementIn(file, 0);
  const segment = header?.id === ids.header && header.endByte !== null ? await elementIn(file, header.endByte) : null;
  return segment?.id === ids.segment ? segment : null;
}

/** The elements of a segment, up to the first one whose end is unknown. */
async function* partsOf(file: PieceFile, segment: Element): AsyncGenerator<Element> {
  let at = segment.contentAt;
  for (let count = 0; count < mostElements; count += 1) {
    const element = await elementIn(file, at);
    if (element === null) return;
    yield element;
    if (element.endByte === null || element.endByte <= at) return;
    at = element.endByte;
  }
}

/** Whether there are cues where a SeekHead says that they are. */
async function leadsToCues(file: PieceFile, segment: Element, seekHead: Element): Promise<boolean> {
  const place = cuesPlace(await contentOf(file, seekHead));
  return place !== null && (await elementIn(file, segment.contentAt + place))?.id === ids.cues;
}

/** The length that a segment states, and whether it has cues. */
async function statedBy(file: PieceFile, segment: Element): Promise<{ durationMs: number; hasCues: boolean }> {
  const stated = { durationMs: 0, hasCues: false };
  for await (const part of partsOf(file, segment)) {
    if (part.id === ids.info) stated.durationMs = durationMsOf(await contentOf(file, part)) ?? 0;
    if (part.id === ids.cues || (part.id === ids.seekHead && await leadsToCues(file, segment, part))) stated.hasCues = true;
    if (stated.hasCues && stated.durationMs > 0) break;
  }
  return stated;
}

/** What a WebM file states of itself. A browser's recorder writes it as it records: without length, and without cues. */
export async function webmFacts(file: PieceFile): Promise<StatedFacts> {
  const segment = await segmentOf(file);
  const { durationMs, hasCues } = segment === null ? { durationMs: 0, hasCues: false } : await statedBy(file, segment);
  const hasLength = durationMs > 0;
  return { obstacles: [...(hasLength ? [] : ['no-length' as const]), ...(hasCues ? [] : ['no-index' as const])], lengthsMs: hasLength ? [durationMs] : [] };
}
