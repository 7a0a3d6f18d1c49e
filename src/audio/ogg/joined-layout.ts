import { type OggSegmentFacts, type PageHead, type PageRun, soundMsOf, wholeRun } from './joined-facts.ts';
import { minSilenceSamples, silentBytes, silentPageCount, type SilentPages } from './joined-silence.ts';
import { oggPageBytes, type writeOggPage } from './ogg-page.ts';
import { opusGranuleRateHz } from './opus-packet.ts';

/** The changes to the pages of one file in the joined stream. */
export interface PageShift {
  serialNumber: number;
  sequenceNumber: number;
  granulePosition: number;
  /** Granule position and end flag of the file's last page. */
  last: { granulePosition: number; endsStream: boolean };
}

/** A page that is written for this stream. */
type WholePage = Parameters<typeof writeOggPage>[0];

/** A run of bytes of the joined stream: shifted pages of a file, a new page, or silence. */
export type JoinedItem = { startsAtByte: number; sizeBytes: number } & (
  | { kind: 'headers'; segment: number; facts: OggSegmentFacts; preSkip: number }
  | { kind: 'page'; page: WholePage }
  | {
      kind: 'pages';
      segment: number;
      run: PageRun;
      shift: PageShift;
      /** Bytes of the file before this offset do not change. */
      unchangedUntilByte: number;
    }
  | { kind: 'silence'; silence: SilentPages }
);

/** The origin of every byte of a joined stream. */
export interface JoinedLayout {
  sizeBytes: number;
  /** Total length including silence. */
  durationMs: number;
  items: readonly JoinedItem[];
}

/** The layout of a timeline without playable sound. */
export const emptyLayout: JoinedLayout = { sizeBytes: 0, durationMs: 0, items: [] };

export interface JoinableSegment {
  startMs: number;
  /** Null if the segment is not playable: silence until the next one. */
  facts: OggSegmentFacts | null;
  /** The pages to use if not all of them; null for none. */
  run?: PageRun | null;
}

type Known = JoinableSegment & { facts: OggSegmentFacts; segment: number };
type Playable = Known & { run: PageRun };

/** The start of a stream that does not start with the timeline. */
export interface StreamStart {
  /** The first moment of the timeline that the stream plays. */
  startMs: number;
  /**
   * Samples at 48 kHz before that moment, which decoders discard (RFC 7845 §4.2); null for the first segment's own
   * pre-skip.
   */
  preSkip: number | null;
}

const samplesPerMs = opusGranuleRateHz / 1000;

/** The state of a joined stream while it is laid out. */
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

  /** Adds silence up to a granule position, to the nearest whole packet that ends before it. */
  silenceUntil(granulePosition: number, endsStream: boolean): void {
    const samples = Math.floor((granulePosition - this.#endsAt) / minSilenceSamples) * minSilenceSamples;
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

  /**
   * Adds silence before a granule position, in whole pages that are followed by more silence or sound: they are the
   * same however long the silence becomes.
   */
  growingSilenceUntil(granulePosition: number): void {
    const pages = Math.floor((granulePosition - this.#endsAt - minSilenceSamples) / opusGranuleRateHz);
    if (pages > 0) this.silenceUntil(this.#endsAt + pages * opusGranuleRateHz, false);
  }

  /**
   * Adds a run of a file's pages. The last one ends the stream at this granule position, or where its own trimmed end
   * or its last packet ends, whichever is nearest.
   */
  pages({ segment, facts, run }: Playable, lastUntil: number | null): void {
    const granulePosition = this.#endsAt - run.startsAt;
    if (run.head) this.#head(run.head, granulePosition);
    const shiftedBy = { sequenceNumber: this.#sequenceNumber - run.firstSequenceNumber, granulePosition };
    // Within a stream nothing may be trimmed, because decoders compare positions with the sum of packets (RFC 7845
    // §4.1).
    const isLast = lastUntil !== null;
    const end = (position: number): number => granulePosition + position;
    const endsAt = isLast
      ? Math.min(Math.max(lastUntil, end(run.lastGranulePosition)), end(run.lastPacketEndsAt))
      : end(run.lastPacketEndsAt);
    const isSame =
      run.only === undefined &&
      facts === this.#first &&
      shiftedBy.granulePosition === 0 &&
      shiftedBy.sequenceNumber === 0;
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

  /** Converts a time on the timeline to a granule position of the stream. */
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

/** The end of a timeline: its last sound, or the silence after it up to `endMs`. */
export const timelineEndMs = (segments: readonly JoinableSegment[], endMs: number): number =>
  Math.max(endMs, ...segments.map(({ startMs, facts }) => (facts ? startMs + soundMsOf(facts) : 0)));

/**
 * How a stream ends, as granule positions: with sound, with silence after it, or not yet. Times in milliseconds are
 * too coarse to move the exact end of a file, so a difference shorter than the shortest silence does not.
 */
function streamEnd(
  layout: Layout,
  last: Playable | undefined,
  { isEnded, endMs }: { isEnded: boolean; endMs?: number },
): { soundUntil: number | null; silenceUntil: number | null } {
  if (!isEnded) return { soundUntil: null, silenceUntil: null };
  const until = endMs === undefined ? 0 : layout.at(endMs);
  const at = (position: number): number =>
    last ? layout.at(last.startMs) + position - last.facts.preSkip : 0;
  if (until - at(last?.run.lastPacketEndsAt ?? 0) >= minSilenceSamples)
    return { soundUntil: null, silenceUntil: until };
  const trimmed = at(last?.run.lastGranulePosition ?? 0);
  return { soundUntil: until - trimmed >= minSilenceSamples ? until : trimmed, silenceUntil: null };
}

/**
 * Lays out the segments of one timeline as one Ogg/Opus stream (RFC 3533 §6, RFC 7845 §3, §4): the headers and
 * pages of the first segment, then for each other segment silence up to its start and its pages, with serial
 * number, sequence, granule positions and checksums of the one stream. The cost grows with the number of segments,
 * not with their length. Empty if nothing is playable.
 * @param options.isEnded whether the last page has the end flag; otherwise more may follow, and the bytes laid out
 * now do not change
 * @param options.endMs silence is added up to here if the sound ends earlier
 * @param options.growingSilenceUntilMs while more follows, silence is added up to here at most
 * @param options.start start of the stream if it is not the start of the timeline
 */
export function layOut(
  segments: readonly JoinableSegment[],
  options: { isEnded: boolean; endMs?: number; growingSilenceUntilMs?: number; start?: StreamStart },
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
  const { soundUntil, silenceUntil } = streamEnd(layout, last, options);
  for (const segment of playable) {
    layout.silenceUntil(layout.at(segment.startMs) + segment.run.startsAt - segment.facts.preSkip, false);
    layout.pages(segment, segment === last ? soundUntil : null);
  }
  if (silenceUntil !== null) layout.silenceUntil(silenceUntil, true);
  if (options.growingSilenceUntilMs !== undefined)
    layout.growingSilenceUntil(layout.at(options.growingSilenceUntilMs));
  return layout.done();
}
