import { createHmac } from 'node:crypto';
import { overviewOfSource } from '#audio/peaks/peaks-overview.ts';
import type { PointSource } from '#audio/peaks/peaks-pyramid.ts';
import type { TimeWindow } from '#audio/ogg/cut-segment.ts';
import { openPart, type OpenPart, partUntil, withheldIn } from '#audio/window/inside-windows.ts';
import { layOutWindows, type WindowedSegment, type WindowLayout } from '#audio/window/window-layout.ts';
import { openPyramid, type OpenPyramid, windowPoints } from '#audio/window/window-peaks.ts';
import { BoundedMap } from '#base/bounded-map.ts';
import type { Passage } from '#contract/passages-api.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import type { OpenFfmpegInput } from '#server/processes/ffmpeg/ffmpeg-input.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import {
  type AudioTimeline,
  audioTimelineOf,
  joinedSource,
  readOggFile,
} from '#server/features/recordings/media/audio-of.ts';
import type { OggSegmentReader } from '#server/features/recordings/media/ogg-segment.ts';
import { finestPeaksOf, measuredWaveform } from './window-peaks-of.ts';
import { peaksOfWindow } from './window-sources.ts';

/** What of a recording may leave the server. */
export interface WindowRequest {
  /**
   * The segments that may be played: of an import its rendition in place of its file. Read before the window is laid
   * out, because passages are read after the bytes.
   */
  segments: readonly StoredSegment[];
  /** `toMs` null: up to the end, also while it moves. Passages off the record are withheld from it. */
  part: { fromMs: number; toMs: number | null };
  /** While the recording grows, the sound of this last time that was received is withheld. */
  delayMs: number;
  /**
   * A secret text of one share, from which its serial number and ETags are made, so that two shares of a recording
   * have nothing in common.
   */
  serialKey: string;
}

/** A window of a recording, of which nothing outside can be read. */
export interface RecordingWindow {
  /** The final size of the sound; null while it grows. `audio.sizeBytes` is what can be read now. */
  sizeBytes: number | null;
  durationMs: number;
  /** The channels of the sound, which an import may be mixed to. */
  channels: number;
  /** What is given now, for `momentsInside`, `spansInside` and `notesInside`. */
  part: OpenPart;
  /** The passages of the part that are off the record, as far as the part is given. */
  withheld: readonly TimeWindow[];
  /** Whether it grows, and is silent now because its speaker is off the record. */
  isWithheld: boolean;
  /** Ogg/Opus that starts at time 0. */
  audio: ByteSource;
  /** The pyramid of the window's peaks. */
  peaks: () => Promise<ByteSource>;
  /** The finest level of the peaks as this server has measured them; null if it has not. */
  waveform: () => Promise<PointSource | null>;
  /** At most 96 values, 0–127. */
  overview: () => Promise<Uint8Array>;
  /** The number of points of the finest level of the peaks. Reads none of them. */
  peaksPoints: () => Promise<number>;
  /** The window's sound for a conversion, from 0 to `durationMs`. The caller must release it. */
  openSound: () => OpenFfmpegInput;
}

/** The columns of a recording that a window depends on. */
type WindowedRecording = Pick<
  RecordingRow,
  'id' | 'source' | 'state' | 'gaps' | 'duration_ms' | 'finished_at'
>;

/** Lays out a window of a recording. Null if the recording has no sound that can be cut, or none yet. */
export type WindowOf = (
  recording: WindowedRecording,
  request: WindowRequest,
) => Promise<RecordingWindow | null>;

/**
 * The segments to lay out. While a recording grows, it ends before the first segment that has no sound yet, because
 * the sound would move what follows.
 */
function windowedSegments(
  blobs: BlobStore,
  { segments, stored, files, isEnded }: AudioTimeline,
): WindowedSegment[] {
  const windowed = segments.map(({ startMs, facts }, index) => ({
    startMs,
    facts,
    read: readOggFile(blobs, files[index]),
  }));
  if (isEnded) return windowed;
  const open = windowed.findIndex(
    ({ facts }, index) => facts === null && !(files[index] && stored[index]?.sealedAtMs !== null),
  );
  return open < 0 ? windowed : windowed.slice(0, open);
}

const hmacOf = (serialKey: string, text: string): Buffer =>
  createHmac('sha256', serialKey).update(text).digest();

const serialNumberOf = (serialKey: string): number => hmacOf(serialKey, 'serial number').readUInt32BE();

/**
 * A keyed hash of all that determines the bytes of a window. Stored bytes never change, so windows with different bytes
 * have different hashes.
 */
function fingerprintOf(
  { layout, parts, isComplete }: WindowLayout,
  {
    serialKey,
    stored,
    windows,
  }: { serialKey: string; stored: readonly StoredSegment[]; windows: readonly TimeWindow[] },
): string {
  const named = {
    windows,
    isComplete,
    sizeBytes: layout.sizeBytes,
    durationMs: layout.durationMs,
    parts: parts.map(({ segment, startMs, source, run }) => [
      stored[segment]?.blobKey,
      stored[segment]?.remuxedBytes,
      startMs,
      source,
      run.startsAt,
      run.lastGranulePosition,
    ]),
  };
  return hmacOf(serialKey, JSON.stringify(named)).toString('base64url').slice(0, 24);
}

/**
 * So much more than a passage is withheld after it: a decoder that starts there needs the sound before it (RFC 7845
 * §4.6). Nothing more is withheld before a passage, because listeners may have it.
 */
const preRollMs = 80;

const withheldOf = ({ fromMs, toMs }: Passage): TimeWindow => ({
  startMs: fromMs,
  endMs: toMs === null ? Infinity : toMs + preRollMs,
});

/** Creates the lookup of windows. The coarse levels of the last pyramids are cached for range requests. */
export function createWindowOf({
  blobs,
  measure,
  passagesOf,
}: {
  blobs: BlobStore;
  measure: OggSegmentReader;
  passagesOf: (recordingId: string) => Promise<readonly Passage[]>;
}): WindowOf {
  const pyramids = new BoundedMap<string, Promise<OpenPyramid>>(8);

  function pyramidOf(fingerprint: string, source: PointSource): Promise<OpenPyramid> {
    const key = `${fingerprint} ${source.points}`;
    const pyramid = pyramids.get(key) ?? openPyramid(source);
    pyramids.set(key, pyramid);
    pyramid.catch(() => {
      pyramids.delete(key);
    });
    return pyramid;
  }

  return async (recording, { segments, part: wanted, delayMs, serialKey }) => {
    const timeline = await audioTimelineOf(recording, segments, measure);
    // After the bytes: a device sends those of a passage only once the passage is stored.
    const passages = await passagesOf(recording.id);
    const part = openPart(
      { startMs: wanted.fromMs, endMs: wanted.toMs ?? Infinity },
      passages.map(withheldOf),
    );
    const window = await layOutWindows(windowedSegments(blobs, timeline), {
      part,
      serialNumber: serialNumberOf(serialKey),
      isEnded: timeline.isEnded,
      endMs: timeline.endMs,
      delayMs,
    });
    const { layout, isComplete, isWithheld, givenUntilMs } = window;
    if (layout.sizeBytes === 0) return null;
    const given = partUntil(part, givenUntilMs);
    const { stored } = timeline;
    const fingerprint = fingerprintOf(window, { serialKey, stored, windows: given.windows });
    const points = async (): Promise<PointSource> =>
      windowPoints(await finestPeaksOf(blobs, recording, segments), { part, givenUntilMs });
    const audio = joinedSource(layout, window.read, `"${fingerprint}"`);
    return {
      sizeBytes: isComplete ? layout.sizeBytes : null,
      durationMs: layout.durationMs,
      channels: timeline.segments.find(({ facts }) => facts !== null)?.facts?.channels ?? 1,
      part: given,
      withheld: withheldIn(given),
      isWithheld,
      audio,
      peaks: async () => peaksOfWindow(await pyramidOf(fingerprint, await points()), fingerprint),
      waveform: async () => ((await measuredWaveform(blobs, recording, segments)) === null ? null : points()),
      overview: async () => overviewOfSource(await points()),
      peaksPoints: async () => (await points()).points,
      openSound: () => ({
        input: {
          kind: 'ogg-stream',
          bytes: audio.stream({ startByte: 0, endByteExclusive: audio.sizeBytes }),
        },
        release: async () => undefined,
      }),
    };
  };
}
