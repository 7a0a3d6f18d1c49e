import type { Store } from '#base/store.ts';
import { newEntry } from '#device/outbox/outbox-entry.ts';
import type { PlaybackPosition } from '#contract/positions-api.ts';
import { urlOf } from '#web/api/call.ts';
import { liveEvents } from '#web/api/live-events.ts';
import { userScope } from '#web/api/user-scope.ts';
import { outbox } from '#web/outbox/page-outbox.ts';
import { newId } from '#device/new-id.ts';
import { requestWithoutHold } from '#web/api/request.ts';
import type { Track } from '#playback/playback-state.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import { storedPositions, type StoredPosition } from './playback-positions.ts';
import { PositionSaver } from './position-saver.ts';
import { latestOf, resumeAt } from './resume-rules.ts';

/** Where a recording was resumed instead of starting over. */
export interface Resumed {
  recordingId: string;
  atMs: number;
}

const playerId = newId();
const untouchedWithinMs = 50;

const resumed = userScope.createStore<Resumed | null>(null);

/** The recording that was resumed last; null if it started at the beginning. */
export const resumedStore: Store<Resumed | null> = resumed;

/** Whether a track is loaded from the server, not from a file on this device. */
export const isServerTrack = ({ url }: Pick<Track, 'url'>): boolean => url.startsWith('/api/');

const positionUrlOf = (recordingId: string): string => urlOf('getPosition', { params: { recordingId } });

/** The position saved on the server; null if there is none or the server can't be reached. */
async function serversPosition(recordingId: string): Promise<StoredPosition | null> {
  try {
    const response = await requestWithoutHold(positionUrlOf(recordingId), {
      headers: { accept: 'application/json' },
    });
    if (!response.ok) return null;
    const { position }: { position: PlaybackPosition | null } = await response.json();
    return position && { positionMs: position.positionMs, playedAtMs: Date.parse(position.heardAt) };
  } catch {
    return null;
  }
}

/**
 * If the server can't be reached, the outbox sends the position later, and this browser resumes from its own copy.
 */
async function sendPosition(recordingId: string, position: StoredPosition): Promise<void> {
  // This also runs just after the session has ended. The outbox then stores the entry for the user's next session.
  const { userId } = userScope;
  if (userId === null) return;
  // Stored outbox entries use the field name `heardAtMs`.
  const payload = { positionMs: position.positionMs, heardAtMs: position.playedAtMs, playerId };
  await outbox.add(newEntry({ userId, kind: 'position', target: recordingId, payload }));
}

const saver = new PositionSaver({
  player,
  nowMs: () => Date.now(),
  save(track, position) {
    storedPositions.write(track.id, position);
    if (isServerTrack(track)) sendPosition(track.id, position).catch(() => undefined);
  },
});
// Prerendering (app/prerender/prerender.tsx) runs without a window.
if (typeof window !== 'undefined') addEventListener('pagehide', () => saver.leave());

/**
 * Loads a track and resumes it: immediately at the position this browser knows, then at the server's if that is
 * newer and the user has not moved it.
 */
export function openAndResume(track: Track): void {
  const here = storedPositions.read(track.id);
  const atMs = here && resumeAt(here.positionMs, track.durationMs);
  player.open(track, atMs);
  resumed.set(atMs === null ? null : { recordingId: track.id, atMs });
  if (isServerTrack(track)) void resumeFromServer(track, here, atMs ?? 0);
}

async function resumeFromServer(
  track: Track,
  here: StoredPosition | null,
  untouchedMs: number,
): Promise<void> {
  const there = await serversPosition(track.id);
  if (!there || latestOf(here, there) !== there || !isUntouched(track.id, untouchedMs)) return;
  const atMs = resumeAt(there.positionMs, track.durationMs) ?? 0;
  if (Math.abs(atMs - untouchedMs) > untouchedWithinMs) player.seek(atMs);
  resumed.set(atMs === 0 ? null : { recordingId: track.id, atMs });
}

function isUntouched(recordingId: string, atMs: number): boolean {
  const { track, status, positionMs } = player.getSnapshot();
  return (
    track?.id === recordingId &&
    (status === 'paused' || status === 'loading') &&
    Math.abs(positionMs - atMs) <= untouchedWithinMs
  );
}

liveEvents.on(({ type, recordingId, playerId: writer }) => {
  const { track } = player.getSnapshot();
  if (
    type !== 'position-changed' ||
    writer === playerId ||
    !track ||
    track.id !== recordingId ||
    track.growing
  )
    return;
  void resumeFromServer(track, storedPositions.read(track.id), resumed.getSnapshot()?.atMs ?? 0);
});
