import { type PendingChange, withoutPendingChange } from '#device/records/pending-change.ts';
import { sendMarker } from '#device/sync/send-marker.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { markerCallsOf } from '#web/outbox/send-marker.ts';
import { sendTitle, sendWhereabouts } from '#web/outbox/send-recording.ts';
import { noteTextOf, sendTakeNote, type NotesOfTake } from './send-note.ts';

/** The values of a take that its changes send. */
export type TakeValues = Pick<TakeRecord, 'title' | 'deletedAtMs' | 'isTrashUndone'> &
  NotesOfTake & { markers: readonly { id: string; atMs: number; label: string }[] };

/** What a take of a signed-in user sends. Every request names the owner, because another user may have signed in. */
export type OwnTake = TakeValues & { ownerId: string };

const recordingOf = ({ id, ownerId }: OwnTake) => ({ recordingId: id, owner: ownerId });

function sendTakeMarker(take: OwnTake, markerId: string): Promise<unknown> {
  const calls = markerCallsOf(take.ownerId, take.id, markerId);
  const marker = take.markers.find(({ id }) => id === markerId);
  if (!marker) return sendMarker({ type: 'removed' }, calls);
  const { id, atMs, label } = marker;
  return sendMarker({ type: 'added', marker: { id, atMs, label }, fields: { label } }, calls);
}

function sendTrash(take: OwnTake): Promise<unknown> {
  if (take.deletedAtMs !== null) return sendWhereabouts(recordingOf(take), 'trashed');
  return sendWhereabouts(recordingOf(take), take.isTrashUndone ? 'undone' : 'restored');
}

/**
 * Sends the current value of what was changed. Sending it late or twice is harmless.
 * @returns `waiting` if it has to be sent again after an event; anything else if it is sent
 */
export function sendTakeChange(take: OwnTake, what: PendingChange): Promise<unknown> {
  switch (what.kind) {
    case 'title':
      return sendTitle(recordingOf(take), take.title);
    case 'trash':
      return sendTrash(take);
    case 'marker':
      return sendTakeMarker(take, what.id);
    case 'note':
      return sendTakeNote(take, what.id, take.ownerId);
  }
}

/** The value that a change sends. */
export function valueOf(take: TakeValues, what: PendingChange): string | boolean | null {
  switch (what.kind) {
    case 'title':
      return take.title;
    case 'trash':
      return take.deletedAtMs === null;
    case 'marker':
      return take.markers.find(({ id }) => id === what.id)?.label ?? null;
    case 'note':
      return noteTextOf(take, what.id);
  }
}

/** A take of which the server has a change. */
export function withAcknowledged(take: TakeRecord, what: PendingChange): TakeRecord {
  const pendingChanges = withoutPendingChange(take.pendingChanges, what);
  if (what.kind === 'marker') {
    const markers = take.markers.map((marker) =>
      marker.id === what.id ? { ...marker, sent: true } : marker,
    );
    return { ...take, markers, pendingChanges };
  }
  if (what.kind !== 'note') return { ...take, pendingChanges };
  const notes = take.notes?.map((note) => (note.id === what.id ? { ...note, sentText: note.text } : note));
  return { ...take, ...(notes && { notes }), pendingChanges };
}
