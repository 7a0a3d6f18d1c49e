import { soundMsOf } from '#audio/ogg/joined-facts.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import type { Gap } from '#contract/recordings.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { OggSegmentReader } from './ogg-segment.ts';

interface Span {
  fromMs: number;
  toMs: number;
}

/** Shorter holes are rounding errors: starts are whole milliseconds, and gaps are measured in blocks of sound. */
const minHoleMs = 50;

/** A segment on the timeline with the duration of its sound. */
export interface TimedSegment {
  segment: StoredSegment;
  durationMs: number;
}

/** Stored and missing sound on one timeline. */
export interface Timeline {
  segments: TimedSegment[];
  durationMs: number;
  /** The reported gaps, and the holes between segments that no gap covers. */
  gaps: Gap[];
  /** The duration of the stored sound, without the gaps. */
  storedMs: number;
}

/** The parts of a span that no other span covers. `others` must be sorted by time. */
function uncovered(span: Span, others: readonly Span[]): Span[] {
  const left: Span[] = [];
  let fromMs = span.fromMs;
  for (const other of others) {
    if (other.toMs <= fromMs || other.fromMs >= span.toMs) continue;
    if (other.fromMs > fromMs) left.push({ fromMs, toMs: other.fromMs });
    fromMs = Math.max(fromMs, other.toMs);
  }
  if (fromMs < span.toMs) left.push({ fromMs, toMs: span.toMs });
  return left;
}

const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
const byStart = (a: Span, b: Span): number => a.fromMs - b.fromMs;
/** The time that gaps take. A gap that takes none covers nothing. */
const spansOf = (gaps: readonly Gap[]): Span[] =>
  gaps
    .filter(({ durationMs }) => durationMs > 0)
    .map(({ atMs, durationMs }) => ({ fromMs: atMs, toMs: atMs + durationMs }))
    .toSorted(byStart);

/**
 * The duration of each segment. For a segment that can't be read yet the device's figures are used: up to the next
 * segment, without the gaps.
 */
async function timed(
  segments: readonly StoredSegment[],
  measure: OggSegmentReader,
  stated: { durationMs: number; gaps: readonly Span[] },
): Promise<TimedSegment[]> {
  const audio = segments.filter(({ stream }) => stream === 'audio');
  return mapInBatches(audio, async (segment, index) => {
    const facts = await measure(segment);
    if (facts !== null || segment.container === 'ogg' || segment.remuxedContainer === 'ogg')
      return { segment, durationMs: facts === null ? 0 : soundMsOf(facts) };
    const toMs = audio[index + 1]?.startMs ?? stated.durationMs;
    return {
      segment,
      durationMs: lengthOf(
        uncovered({ fromMs: segment.startMs, toMs: Math.max(segment.startMs, toMs) }, stated.gaps),
      ),
    };
  });
}

/**
 * Arranges segments and reported gaps on one timeline, and adds the holes that are left as gaps.
 * @param stated.durationMs the duration that the device reported at the end, which limits a gap at the end; 0
 * while the take runs
 */
export async function timelineOf(
  segments: readonly StoredSegment[],
  measure: OggSegmentReader,
  stated: { durationMs: number; gaps: readonly Gap[] },
): Promise<Timeline> {
  const named = spansOf(stated.gaps);
  const list = await timed(segments, measure, { durationMs: stated.durationMs, gaps: named });
  const sounds = list
    .filter(({ durationMs }) => durationMs > 0)
    .map(({ segment: { startMs }, durationMs }) => ({ fromMs: startMs, toMs: startMs + durationMs }));
  const endMs = [...sounds, ...named.map(({ toMs }) => ({ toMs: Math.min(toMs, stated.durationMs) }))].reduce(
    (latest, { toMs }) => Math.max(latest, toMs),
    0,
  );
  const durationMs = Math.min(maxSoundMs, endMs);
  const holes = uncovered({ fromMs: 0, toMs: durationMs }, [...sounds, ...named].toSorted(byStart)).filter(
    ({ fromMs, toMs }) => toMs - fromMs >= minHoleMs,
  );
  const gaps: Gap[] = [
    ...stated.gaps,
    ...holes.map(({ fromMs, toMs }): Gap => ({ atMs: fromMs, durationMs: toMs - fromMs, cause: 'unknown' })),
  ];
  return {
    segments: list,
    durationMs,
    gaps: gaps.toSorted((a, b) => a.atMs - b.atMs),
    storedMs: lengthOf(uncovered({ fromMs: 0, toMs: durationMs }, spansOf(gaps))),
  };
}
