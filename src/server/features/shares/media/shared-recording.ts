import { spansInside } from '#audio/window/inside-windows.ts';
import { instantOrNull } from '#base/instant.ts';
import type { Gap } from '#contract/recordings.ts';
import type { SharedRecording, ShareDownload, ShareShows } from '#contract/shares.ts';
import type { RecordingWindow } from '#server/features/recordings/windows/window-of.ts';
import type { RecordingWithCounts } from '#server/features/recordings/recordings-store.ts';
import { isWhole, showsOf } from '#server/features/shares/share-settings.ts';
import type { StoredShare } from '#server/features/shares/shares-store.ts';
import { timeOfRow } from '#server/storage/rows/stored-time.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import type { LabelDigests } from './shared-labels.ts';
import type { SharedSound } from './shared-sound.ts';

/** What the presentation of a link needs besides its sound. */
export interface PresentDeps {
  labelDigests: Pick<LabelDigests, 'of'>;
  /** Whether this server can convert sound. */
  canConvert: () => Promise<boolean>;
  /** The gaps of a recording, also those that no device reported. */
  gapsOf: (recording: RecordingWithCounts) => Promise<readonly Gap[]>;
}

/** The title that a link shows; null if it shows none. */
export const shownTitle = (share: StoredShare, shows: ShareShows = showsOf(share)): string | null => {
  const title = share.title ?? share.recording_title;
  return shows.title && title !== '' ? title : null;
};

/** Whether a link gives all of a recording: none of it is outside its part, off the record, or still to come. */
export const isWholeOf = (share: StoredShare, { recording, window }: SharedSound): boolean =>
  isWhole(share) && recording.state !== 'finishing' && window?.withheld.length === 0;

/** The passages of a window that are off the record, with times from its start. */
const offRecordIn = (window: RecordingWindow | null): Pick<SharedRecording, 'offRecord' | 'isOffRecord'> =>
  window === null
    ? { offRecord: [], isOffRecord: false }
    : {
        offRecord: window.withheld.map(({ startMs, endMs }) => ({
          atMs: startMs - window.part.startMs,
          durationMs: Math.round(endMs - startMs),
        })),
        isOffRecord: window.isWithheld,
      };

/**
 * The formats in which listeners may take the sound with them. The unchanged file is one of them only if the link gives
 * all of it.
 */
export function downloadsOf(
  download: ShareDownload,
  { canConvert, isWhole }: { canConvert: boolean; isWhole: boolean },
): SharedRecording['downloads'] {
  if (download === 'off') return [];
  if (download === 'audio') return ['ogg'];
  const converted = canConvert ? (['m4a', 'mp3', 'wav', 'flac'] as const) : [];
  return ['ogg', ...converted, ...(download === 'original' && isWhole ? (['original'] as const) : [])];
}

/** What a link shows, without its markers and notes, which are read in pages. */
type SharedFacts = Omit<SharedRecording, 'markers' | 'notes'>;
type Texts = 'title' | 'message' | 'language' | 'owner' | 'recordedTime' | 'expiresAt';

/** What a link shows besides its sound and its labels. */
function shownTexts(share: StoredShare, { recording }: SharedSound): Pick<SharedFacts, Texts> {
  const shows = showsOf(share);
  return {
    title: shownTitle(share, shows),
    message: share.message,
    language: recording.language,
    owner: shows.owner ? share.owner_name : null,
    recordedTime: shows.date ? timeOfRow(recording) : null,
    expiresAt: instantOrNull(share.expires_at),
  };
}

/**
 * What listeners of a link learn: these fields and no others. Times and lengths are of the window, never of the whole
 * recording, and there is no id, file name, size or hash by which two links could be compared.
 */
export async function presentSharedRecording(
  { canConvert, gapsOf }: Pick<PresentDeps, 'canConvert' | 'gapsOf'>,
  share: StoredShare,
  sound: SharedSound,
): Promise<SharedFacts> {
  const { recording, state, window } = sound;
  const converts = window !== null && (await canConvert());
  return {
    ...shownTexts(share, sound),
    state,
    durationMs: window?.durationMs ?? 0,
    delayMs: isUnfinished(recording) ? (share.live_delay_ms ?? 0) : 0,
    isCounted: share.max_listens !== null,
    hasM4a: converts,
    downloads:
      state === 'complete'
        ? downloadsOf(share.download, { canConvert: converts, isWhole: isWholeOf(share, sound) })
        : [],
    peaksPoints: window === null ? 0 : await window.peaksPoints(),
    gaps: window !== null && showsOf(share).gaps ? spansInside(await gapsOf(recording), window.part) : [],
    ...offRecordIn(window),
  };
}

/**
 * A hash of everything that listeners of a link see and hear. While the recording grows it covers the texts alone,
 * because the rest grows with it.
 */
export async function shownVersionOf(
  deps: PresentDeps,
  share: StoredShare,
  sound: SharedSound,
): Promise<string> {
  const seen = isUnfinished(sound.recording)
    ? shownTexts(share, sound)
    : { ...(await presentSharedRecording(deps, share, sound)), etag: sound.window?.audio.etag };
  const labels = await deps.labelDigests.of({ share, window: sound.window });
  return hashOf(JSON.stringify([share.revision, seen, labels]));
}
