import type { RecordingWindow, WindowOf } from '#server/features/recordings/windows/window-of.ts';
import type {
  SharedRenditions,
  SharedSoundState,
} from '#server/features/recordings/windows/shared-rendition.ts';
import type { RecordingWithCounts } from '#server/features/recordings/recordings-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { audioSectionWindow } from '#contract/audio-sections.ts';
import type { SharedRecording } from '#contract/shares.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { ShareRow } from '#server/storage/database/share-tables.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';

export interface SharedSoundDeps {
  database: Database;
  secrets: SecretBox;
  /** Finds a recording of any owner. Links name theirs; no caller does. */
  findRecording: (id: string) => Promise<RecordingWithCounts | undefined>;
  windowOf: WindowOf;
  renditions: Pick<SharedRenditions, 'stateOf' | 'soundOf' | 'request'>;
}

/** What a link plays now. */
export interface SharedSound {
  recording: RecordingWithCounts;
  state: SharedRecording['state'];
  /** Null unless the state is `live` or `complete`. */
  window: RecordingWindow | null;
}

/** A link that plays now. */
export type PlayableSound = SharedSound & { window: RecordingWindow };

/** How soon to try again while nothing can be played yet, in seconds. */
const retryAfterSeconds = 5;

/** Whether a live link is closed after Stop, until its owner opens it. */
const isHeld = (share: ShareRow, recording: RecordingWithCounts): boolean =>
  share.live_delay_ms !== null &&
  share.is_held_after_stop === 1 &&
  share.released_at === null &&
  !isUnfinished(recording);

const stateOfRendition: Readonly<Record<SharedSoundState, SharedRecording['state']>> = {
  own: 'complete',
  ready: 'complete',
  waiting: 'preparing',
  missing: 'preparing',
  failed: 'failed',
  impossible: 'failed',
};

/** What of a link's sound a request addresses. */
export interface Addressed {
  /** Only the start, so that a growing recording has a fixed length for each request. */
  untilMs?: number | undefined;
  /** Only one section of it: browsers cannot play a longer Ogg stream (decision 0063). */
  section?: number | undefined;
}

/** The shared part, or its start. Nothing that a request names makes it longer. */
const partOf = (share: ShareRow, { untilMs }: Addressed) => {
  const toMs = Math.min(share.to_ms ?? Infinity, share.from_ms + (untilMs ?? Infinity));
  return { fromMs: share.from_ms, toMs: Number.isFinite(toMs) ? toMs : null };
};

async function windowed(
  { windowOf, secrets }: SharedSoundDeps,
  share: ShareRow,
  {
    recording,
    segments,
    addressed,
  }: { recording: RecordingWithCounts; segments: readonly StoredSegment[]; addressed: Addressed },
): Promise<RecordingWindow | null> {
  const part = partOf(share, addressed);
  const windowOfPart = ({ fromMs, toMs }: typeof part) =>
    windowOf(recording, {
      segments,
      part: { fromMs, toMs },
      delayMs: share.live_delay_ms ?? 0,
      // No two links have anything in common by which their listeners could compare them.
      serialKey: secrets.hash(share.id, 'share sound'),
    });
  const all = await windowOfPart(part);
  const { section } = addressed;
  if (all === null || section === undefined) return all;
  const range = audioSectionWindow(section, { durationMs: all.durationMs, isEnded: true });
  if (range === null) throw new ProblemError('not-found');
  if (range.startMs === 0 && range.endMs === Infinity) return all;
  // Both ends stay inside the part.
  return windowOfPart({
    fromMs: part.fromMs + range.startMs,
    toMs: range.endMs === Infinity ? part.toMs : part.fromMs + range.endMs,
  });
}

/** Whether a recording that had ended is being continued. */
const isContinued = (recording: RecordingWithCounts): boolean =>
  isUnfinished(recording) && recording.finished_at !== null;

/** A recording as it was before it was continued, and the segments that it had then. */
interface Earlier {
  recording: RecordingWithCounts;
  segments: StoredSegment[];
}

/**
 * What a link plays of a recording while it is continued, if the new sound adds nothing to it: a link that isn't live
 * plays what there was before, and so does one whose part was over. Null for a link that plays the new sound live, or
 * nothing of the earlier.
 */
function earlierOf(
  share: ShareRow,
  recording: RecordingWithCounts,
  segments: readonly StoredSegment[],
): Earlier | null {
  const endedAtMs = recording.finished_at ?? 0;
  const isAdded = ({ sealedAtMs }: StoredSegment) => sealedAtMs === null || sealedAtMs > endedAtMs;
  const addedFromMs = segments.filter(isAdded).map(({ startMs }) => startMs);
  const durationMs = Math.min(recording.duration_ms, ...addedFromMs);
  const isOver = share.to_ms !== null && share.to_ms <= durationMs;
  if ((share.live_delay_ms !== null && !isOver) || share.from_ms >= durationMs) return null;
  return {
    // It has ended, and what was made of it when it ended is removed.
    recording: { ...recording, state: 'finishing', duration_ms: durationMs },
    segments: segments.filter((segment) => !isAdded(segment)),
  };
}

/**
 * The recording of a link, as it was before if it is continued, and its sound if that had to be read for this.
 * @throws link-not-found (404) if the recording was deleted in the meantime
 */
async function recordingFor(
  { findRecording, renditions }: SharedSoundDeps,
  share: ShareRow,
): Promise<{
  recording: RecordingWithCounts;
  sound: Awaited<ReturnType<SharedRenditions['soundOf']>> | null;
}> {
  const recording = await findRecording(share.recording_id);
  if (recording === undefined) throw new ProblemError('link-not-found');
  if (!isContinued(recording)) return { recording, sound: null };
  const sound = await renditions.soundOf(recording);
  const earlier = earlierOf(share, recording, sound.segments);
  return earlier === null
    ? { recording, sound }
    : { recording: earlier.recording, sound: { ...sound, segments: earlier.segments } };
}

/** The state of a link that plays nothing, whatever sound its recording has; null if it may play. */
function silentState(share: ShareRow, recording: RecordingWithCounts): SharedRecording['state'] | null {
  if (isUnfinished(recording)) return share.live_delay_ms === null ? 'not-started' : null;
  if (isHeld(share, recording)) return 'held';
  return recording.source === 'import' && recording.state === 'finishing' ? 'preparing' : null;
}

/**
 * Lays out what a link plays now.
 * @throws link-not-found (404) if the recording was deleted in the meantime; not-found (404) after the last section
 */
export async function sharedSoundOf(
  deps: SharedSoundDeps,
  share: ShareRow,
  addressed: Addressed = {},
): Promise<SharedSound> {
  const { recording, sound } = await recordingFor(deps, share);
  const silent = silentState(share, recording);
  if (silent !== null) return { recording, state: silent, window: null };
  const { state: ofRendition, segments } = sound ?? (await deps.renditions.soundOf(recording));
  // The file was judged again since the link was made.
  if (ofRendition === 'missing')
    await deps.database.transaction((transaction) => deps.renditions.request(transaction, recording.id));
  const state = isUnfinished(recording) ? 'live' : stateOfRendition[ofRendition];
  if (state !== 'live' && state !== 'complete') return { recording, state, window: null };
  const window = await windowed(deps, share, { recording, segments, addressed });
  if (window !== null && window.durationMs > 0) return { recording, state, window };
  if (state === 'live') return { recording, state: 'not-started', window: null };
  return { recording, state: recording.state === 'finishing' ? 'preparing' : 'failed', window: null };
}

/**
 * The window that a link plays now.
 * @throws share-not-started (409) if nothing can be played yet; window-unsupported (409) if nothing ever can; not-found (404) after the last
 * section
 */
export async function playableWindow(
  deps: SharedSoundDeps,
  share: ShareRow,
  addressed: Addressed = {},
): Promise<PlayableSound> {
  const { window, ...sound } = await sharedSoundOf(deps, share, addressed);
  if (window !== null) return { ...sound, window };
  if (sound.state === 'failed') throw new ProblemError('window-unsupported');
  throw new ProblemError('share-not-started', { retryAfterSeconds });
}
