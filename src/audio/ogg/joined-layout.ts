import type { OggSegmentFacts } from './joined-facts.ts';
import { shortestSilence, silentBytes, silentPageCount, type SilentPages } from './joined-silence.ts';
import { opusGranuleRateHz } from './opus-packet.ts';

/** How the pages of one file are changed on their way into the joined stream. */
export interface PageShift {
  serialNumber: number;
  sequenceNumber: number;
  granulePosition: number;
  /** Granule position and end flag of the file's last page. */
  last: { granulePosition: number; endsStream: boolean };
}

/** A run of bytes of the joined stream: from a file, its pages shifted, or silence. */
export type JoinedItem = { startsAtByte: number; sizeBytes: number } & (
  | { kind: 'pages'; segment: number; facts: OggSegmentFacts; fromByte: number; shift: PageShift;
    /** Below this byte of the file nothing changes. */
    unchangedUntilByte: number }
  | { kind: 'silence'; silence: SilentPages });

/** Where every byte of a joined stream comes from. */
export interface JoinedLayout {
  sizeBytes: number;
  /** Of all that it holds, silence included. */
  durationMs: number;
  items: readonly JoinedItem[];
}

export interface JoinableSegment {
  startMs: number;
  /** Null where nothing of it can be played: silence until the next one. */
  facts: OggSegmentFacts | null;
}

type Playable = JoinableSegment & { facts: OggSegmentFacts; segment: number };

const samplesPerMs = opusGranuleRateHz / 1000;

/** Where a joined stream stands while it is laid out. */
class Layout {
  readonly #items: JoinedItem[] = [];
  readonly #first: OggSegmentFacts;
  #sizeBytes: number;
  #sequenceNumber: number;
  #endsAt = 0;

  constructor({ segment, facts }: Playable) {
    this.#first = facts;
    this.#sizeBytes = facts.headersBytes;
    this.#sequenceNumber = facts.headerPages;
    const shift = { serialNumber: facts.serialNumber, sequenceNumber: 0, granulePosition: 0, last: { granulePosition: 0, endsStream: false } };
    this.#items.push({ kind: 'pages', segment, facts, fromByte: 0, startsAtByte: 0, sizeBytes: facts.headersBytes, unchangedUntilByte: facts.headersBytes, shift });
  }

  /** Fills the time up to a granule position, to the nearest whole packet that ends before it. */
  silenceUntil(granulePosition: number, endsStream: boolean): void {
    const samples = Math.floor((granulePosition - this.#endsAt) / shortestSilence) * shortestSilence;
    if (samples <= 0) return;
    const { serialNumber, channels } = this.#first;
    const silence = { samples, startsAt: this.#endsAt, firstSequenceNumber: this.#sequenceNumber, serialNumber, channels, endsStream };
    this.#add({ kind: 'silence', silence, startsAtByte: this.#sizeBytes, sizeBytes: silentBytes(samples) });
    this.#sequenceNumber += silentPageCount(samples);
    this.#endsAt += samples;
  }

  /** Adds all of a file but its header pages. */
  pages({ segment, facts }: Playable, isLast: boolean): void {
    const shiftedBy = { sequenceNumber: this.#sequenceNumber - facts.headerPages, granulePosition: this.#endsAt };
    // Inside of a stream nothing may be trimmed: decoders hold positions and the sum of packets against each other (RFC 7845 §4.1).
    const endsAt = this.#endsAt + (isLast ? facts.lastGranulePosition : facts.lastPacketEndsAt);
    const isSame = facts === this.#first && this.#endsAt === 0 && shiftedBy.sequenceNumber === 0;
    const lastIsSame = endsAt === facts.lastGranulePosition && facts.endsStream === isLast;
    this.#add({
      kind: 'pages', segment, facts, fromByte: facts.headersBytes, startsAtByte: this.#sizeBytes, sizeBytes: facts.sizeBytes - facts.headersBytes,
      unchangedUntilByte: isSame ? (lastIsSame ? facts.sizeBytes : facts.lastPageStartsAtByte) : 0,
      shift: { ...shiftedBy, serialNumber: this.#first.serialNumber, last: { granulePosition: endsAt, endsStream: isLast } },
    });
    this.#sequenceNumber += facts.lastSequenceNumber + 1 - facts.headerPages;
    this.#endsAt = endsAt;
  }

  /** The granule position at which a time on the timeline is heard. */
  at(timeMs: number): number {
    return Math.round(timeMs * samplesPerMs) + this.#first.preSkip;
  }

  done(): JoinedLayout {
    return { sizeBytes: this.#sizeBytes, durationMs: Math.round(Math.max(0, this.#endsAt - this.#first.preSkip) / samplesPerMs), items: this.#items };
  }

  #add(item: JoinedItem): void {
    this.#sizeBytes += item.sizeBytes;
    this.#items.push(item);
  }
}

/**
 * Lays the segments of one timeline out as one Ogg/Opus stream (RFC 3533 §6, RFC 7845 §3, §4): the headers of the first, its pages, silence up to
 * where the next begins, that one's pages with serial number, sequence, granule positions and checksums of the one stream, and so on.
 * The cost grows with the number of segments, not with their length. No bytes at all where nothing can be played.
 * @param options.isEnded the last page carries the end flag; else more may follow, and the bytes laid out now stay what they are
 * @param options.endMs silence up to here at the end, where the sound ends earlier
 */
export function layOut(segments: readonly JoinableSegment[], options: { isEnded: boolean; endMs?: number }): JoinedLayout {
  const playable = segments.flatMap(({ startMs, facts }, segment): Playable[] => (facts ? [{ startMs, facts, segment }] : []));
  const [first] = playable;
  if (!first) return { sizeBytes: 0, durationMs: 0, items: [] };
  const layout = new Layout(first);
  const last = playable.at(-1);
  const trailing = options.isEnded && options.endMs !== undefined ? layout.at(options.endMs) : 0;
  const lastEndsAt = last ? layout.at(last.startMs) + last.facts.lastPacketEndsAt - last.facts.preSkip : 0;
  const hasTrailing = trailing - lastEndsAt >= shortestSilence;
  for (const segment of playable) {
    layout.silenceUntil(layout.at(segment.startMs) - segment.facts.preSkip, false);
    layout.pages(segment, options.isEnded && segment === last && !hasTrailing);
  }
  if (hasTrailing) layout.silenceUntil(trailing, true);
  return layout.done();
}
