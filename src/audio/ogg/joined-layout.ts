import { type OggSegmentFacts, type PageHead, type PageRun, soundMsOf, wholeRun } from './joined-facts.ts';
import { shortestSilence, silentBytes, silentPageCount, type SilentPages } from './joined-silence.ts';
import { oggPageBytes, type writeOggPage } from './ogg-page.ts';
import { opusGranuleRateHz } from './opus-packet.ts';

/** How the pages of one file are changed on their way into the joined stream. */
export interface PageShift {
  serialNumber: number;
  sequenceNumber: number;
  granulePosition: number;
  /** Granule position and end flag of the file's last page. */
  last: { granulePosition: number; endsStream: boolean };
}

/** A page that is written for this stream. */
type WholePage = Parameters<typeof writeOggPage>[0];

/** A run of bytes of the joined stream: from a file, its pages shifted, or silence. */
export type JoinedItem = { startsAtByte: number; sizeBytes: number } & (
  | { kind: 'headers'; segment: number; facts: OggSegmentFacts; preSkip: number }
  | { kind: 'page'; page: WholePage }
  | {
      kind: 'pages';
      segment: number;
      run: PageRun;
      shift: PageShift;
      /** Below this byte of the file nothing changes. */
      unchangedUntilByte: number;
    }
  | { kind: 'silence'; silence: SilentPages }
);

/** Where every byte of a joined stream comes from. */
export interface JoinedLayout {
  sizeBytes: number;
  /** Of all that it holds, silence included. */
  durationMs: number;
  items: readonly JoinedItem[];
}

/** Of nothing that can be played. */
export const emptyLayout: JoinedLayout = { sizeBytes: 0, durationMs: 0, items: [] };

export interface JoinableSegment {
  startMs: number;
  /** Null where nothing of it can be played: silence until the next one. */
  facts: OggSegmentFacts | null;
  /** The pages that are wanted of it where these are not all; null where none are. */
  run?: PageRun | null;
}

type Known = JoinableSegment & { facts: OggSegmentFacts; segment: number };
type Playable = Known & { run: PageRun };

/** Where a stream begins that is not wanted from its beginning. */
export interface StreamStart {
  /** The moment of the timeline that the stream plays first. */
  startMs: number;
  /**
   * Samples at 48 kHz in front of that moment, which decoders throw away (RFC 7845 §4.2); null where the
   * first segment's own are meant.
   */
  preSkip: number | null;
}

const samplesPerMs = opusGranuleRateHz / 1000;

/** Where a joined stream stands while it is laid out. */
class Layout {
  readonly #items: JoinedItem[] = [];
  readonly #first: OggSegmentFacts;
  readonly #startMs: number;
  readonly #preSkip: number;
  #sizeBytes: number;
  #sequenceNumber: number;
  #endsAt = 0;

  constructor({ segment, facts }: Known, { startMs, preSkip }: StreamStart) {
    this.#first = facts;
    this.#startMs = startMs;
    this.#preSkip = preSkip ?? facts.preSkip;
    this.#sizeBytes = facts.headersBytes;
    this.#sequenceNumber = facts.headerPages;
    this.#items.push({
      kind: 'headers',
      segment,
      facts,
      startsAtByte: 0,
      sizeBytes: facts.headersBytes,
      preSkip: this.#preSkip,
    });
  }

  /** Fills the time up to a granule position, to the nearest whole packet that ends before it. */
  silenceUntil(granulePosition: number, endsStream: boolean): void {
    const samples = Math.floor((granulePosition - this.#endsAt) / shortestSilence) * shortestSilence;
    if (samples <= 0) return;
    const { serialNumber, channels } = this.#first;
    const silence = {
      samples,
      startsAt: this.#endsAt,
      firstSequenceNumber: this.#sequenceNumber,
      serialNumber,
      channels,
      endsStream,
    };
    this.#add({ kind: 'silence', silence, startsAtByte: this.#sizeBytes, sizeBytes: silentBytes(samples) });
    this.#sequenceNumber += silentPageCount(samples);
    this.#endsAt += samples;
  }

  /** Adds a run of a file's pages. */
  pages({ segment, facts, run }: Playable, isLast: boolean): void {
    const granulePosition = this.#endsAt - run.startsAt;
    if (run.head) this.#head(run.head, granulePosition);
    const shiftedBy = { sequenceNumber: this.#sequenceNumber - run.firstSequenceNumber, granulePosition };
    // Inside of a stream nothing may be trimmed: decoders hold positions and the sum of packets against each
    // other (RFC 7845 §4.1).
    const endsAt = shiftedBy.granulePosition + (isLast ? run.lastGranulePosition : run.lastPacketEndsAt);
    const isSame = facts === this.#first && shiftedBy.granulePosition === 0 && shiftedBy.sequenceNumber === 0;
    const lastIsSame = endsAt === run.lastGranulePosition && run.endsStream === isLast;
    this.#add({
      kind: 'pages',
      segment,
      run,
      startsAtByte: this.#sizeBytes,
      sizeBytes: run.untilByte - run.fromByte,
      unchangedUntilByte: isSame ? (lastIsSame ? run.untilByte : run.lastPageStartsAtByte) : 0,
      shift: {
        ...shiftedBy,
        serialNumber: this.#first.serialNumber,
        last: { granulePosition: endsAt, endsStream: isLast },
      },
    });
    this.#sequenceNumber += run.lastSequenceNumber + 1 - run.firstSequenceNumber;
    this.#endsAt = endsAt;
  }

  #head({ packets, endsAt }: PageHead, shiftedBy: number): void {
    const page = {
      packets,
      granulePosition: endsAt + shiftedBy,
      serialNumber: this.#first.serialNumber,
      sequenceNumber: this.#sequenceNumber,
      startsStream: false,
      endsStream: false,
    };
    this.#add({ kind: 'page', page, startsAtByte: this.#sizeBytes, sizeBytes: oggPageBytes(packets) });
    this.#sequenceNumber += 1;
  }

  /** The granule position at which a time on the timeline is heard. */
  at(timeMs: number): number {
    return Math.round((timeMs - this.#startMs) * samplesPerMs) + this.#preSkip;
  }

  done(): JoinedLayout {
    return {
      sizeBytes: this.#sizeBytes,
      durationMs: Math.round(Math.max(0, this.#endsAt - this.#preSkip) / samplesPerMs),
      items: this.#items,
    };
  }

  #add(item: JoinedItem): void {
    this.#sizeBytes += item.sizeBytes;
    this.#items.push(item);
  }
}

/** Where a timeline ends: with its last sound, or with the silence behind it up to `endMs`. */
export const timelineEndMs = (segments: readonly JoinableSegment[], endMs: number): number =>
  Math.max(endMs, ...segments.map(({ startMs, facts }) => (facts ? startMs + soundMsOf(facts) : 0)));

/**
 * Lays the segments of one timeline out as one Ogg/Opus stream (RFC 3533 §6, RFC 7845 §3, §4): the headers of
 * the first, its pages, silence up to where the next begins, that one's pages with serial number, sequence,
 * granule positions and checksums of the one stream, and so on. The cost grows with the number of segments,
 * not with their length. No bytes at all where nothing can be played.
 * @param options.isEnded the last page carries the end flag; else more may follow, and the bytes laid out now stay what they are
 * @param options.endMs silence up to here at the end, where the sound ends earlier
 * @param options.start where the stream begins, where that is not the beginning of the timeline
 */
export function layOut(
  segments: readonly JoinableSegment[],
  options: { isEnded: boolean; endMs?: number; start?: StreamStart },
): JoinedLayout {
  const known = segments.flatMap(({ facts, ...segment }, index): Known[] =>
    facts ? [{ ...segment, facts, segment: index }] : [],
  );
  const [first] = known;
  if (!first) return emptyLayout;
  const layout = new Layout(first, options.start ?? { startMs: 0, preSkip: null });
  const playable = known.flatMap((segment): Playable[] =>
    segment.run === null ? [] : [{ ...segment, run: segment.run ?? wholeRun(segment.facts) }],
  );
  const last = playable.at(-1);
  const trailing = options.isEnded && options.endMs !== undefined ? layout.at(options.endMs) : 0;
  const lastEndsAt = last ? layout.at(last.startMs) + last.run.lastPacketEndsAt - last.facts.preSkip : 0;
  const hasTrailing = trailing - lastEndsAt >= shortestSilence;
  for (const segment of playable) {
    layout.silenceUntil(layout.at(segment.startMs) + segment.run.startsAt - segment.facts.preSkip, false);
    layout.pages(segment, options.isEnded && segment === last && !hasTrailing);
  }
  if (hasTrailing) layout.silenceUntil(trailing, true);
  return layout.done();
}
