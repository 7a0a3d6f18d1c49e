import { instantOf } from '#base/instant.ts';
import type { PlaybackPosition } from '#contract/positions-api.ts';
import type { EntryOf, OutboxEntry } from '#device/outbox/outbox-entry.ts';
import type { SendResult } from '#device/outbox/outbox.ts';
import { withChangesLock } from '#device/sync/changes-lock.ts';
import { answerOrError } from '#web/api/api-error.ts';
import { call, urlOf } from '#web/api/call.ts';
import { requestWithoutHold } from '#web/api/request.ts';
import { sendFavourite } from './send-favourite.ts';
import { sendMarkerEntry } from './send-marker.ts';
import { sendNoteEntry } from './send-note.ts';
import { sendWhereabouts } from './send-recording.ts';
import { resultOf } from './send-result.ts';

async function attempt(send: () => Promise<unknown>): Promise<SendResult> {
  try {
    await send();
    return 'settled';
  } catch (error) {
    return resultOf(error);
  }
}

/**
 * The server purges only trashed recordings, so a purge takes two calls. Each names the owner, because another
 * user may sign in between them.
 */
async function sendImport({ userId, target, payload }: EntryOf<'import'>): Promise<SendResult> {
  const recording = { recordingId: target, owner: userId };
  if (payload.wanted === 'restore') return attempt(() => sendWhereabouts(recording, 'undone'));
  const trashed = await attempt(() => sendWhereabouts(recording, 'trashed'));
  return payload.wanted === 'trash' || trashed !== 'settled'
    ? trashed
    : attempt(() => call('purgeRecording', { params: { recordingId: target }, hold: { owner: userId } }));
}

/**
 * The server ignores a position that is older than its own. Positions are never held for a sign-in, because no
 * screen waits for them.
 */
function sendPosition({ target, payload }: EntryOf<'position'>): Promise<SendResult> {
  const { positionMs, heardAtMs, playerId } = payload;
  const body: PlaybackPosition = { positionMs, heardAt: instantOf(heardAtMs), playerId };
  const address = urlOf('putPosition', { params: { recordingId: target } });
  return attempt(() =>
    answerOrError(() =>
      requestWithoutHold(address, {
        method: 'PUT',
        keepalive: true,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    ),
  );
}

/** Sends one entry with the session of this page. Never rejects. */
export function sendEntry(entry: OutboxEntry): Promise<SendResult> {
  switch (entry.kind) {
    case 'import':
      return withChangesLock(entry.target, () => sendImport(entry));
    case 'position':
      return sendPosition(entry);
    case 'favourite':
      return sendFavourite(entry);
    case 'marker':
      return withChangesLock(entry.payload.recordingId, () => sendMarkerEntry(entry));
    case 'note':
      return sendNoteEntry(entry);
  }
}
