import { fateOf, type ServerWord } from '#device/takes/server-word.ts';
import { mayBeOnServer } from '#device/takes/recovery-plan.ts';
import { changeTake, getTake, listTakes } from '#device/takes/takes-store.ts';
import type { Rejection, TakeRecord } from '#device/records/take-record.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';
import { heldTakeIds } from '#device/takes/recording-lock.ts';
import { ownerFor } from '#device/takes/viewer.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { liveEvents } from '#web/api/live-events.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import { addRemoved } from './removed-recordings.ts';
import { dropLocalTake } from './take-actions.ts';

/** Stores that the server will never take a take. */
export async function rejectTake(takeId: string, rejection: Rejection): Promise<void> {
  await changeTake(takeId, (take) => ({ ...take, isRejected: true, rejection }));
  takesChannel.notify();
}

/** Asks the server what it says of a recording of its owner. */
export async function askServer({ id, ownerId }: Pick<TakeRecord, 'id' | 'ownerId'>): Promise<ServerWord> {
  try {
    const { deletedAt } = await call('getRecording', {
      params: { recordingId: id },
      hold: { owner: ownerId, noHold: true },
    });
    return deletedAt === null ? { type: 'stored' } : { type: 'trashed', atMs: Date.parse(deletedAt) };
  } catch (error) {
    return error instanceof ApiError && error.code === 'purged' ? { type: 'deleted' } : { type: 'unknown' };
  }
}

async function apply(takeId: string, word: ServerWord): Promise<boolean> {
  const held = await heldTakeIds().catch(() => new Set<string>());
  const isHeld = held.has(takeId);
  const record = await getTake(takeId);
  const fate = record === null ? null : fateOf(record, word, isHeld).type;
  if (fate === 'dropped') await dropLocalTake(takeId);
  if (fate !== 'changed') return fate === 'dropped';
  await changeTake(takeId, (take) => {
    const now = fateOf(take, word, isHeld);
    return now.type === 'changed' ? now.take : take;
  });
  return true;
}

const isMine = (take: TakeRecord): boolean => ownerFor(take, { userId: serverRegistry.userId() }) === 'me';

/** Asks the server about the user's takes on this device that it may know, or about one of them. */
async function askAbout(only?: string): Promise<void> {
  const takes = (await listTakes().catch(() => [])).filter(
    (take) => isMine(take) && mayBeOnServer(take) && (only === undefined || take.id === only),
  );
  let hasChanged = false;
  for (const take of takes) hasChanged = (await apply(take.id, await askServer(take))) || hasChanged;
  if (hasChanged) takesChannel.notify();
}

let isFollowing = false;
let asking: Promise<void> = Promise.resolve();
const askInTurn = (only?: string): void => {
  asking = asking.then(() => askAbout(only)).catch(() => undefined);
};

/**
 * Follows what happens to recordings on the server, so that the takes on this device, and the one that is recorded,
 * learn of it: each change, and everything whenever the connection is (re)opened.
 */
export function followServerWords(): void {
  if (isFollowing) return;
  isFollowing = true;
  liveEvents.on((event) => {
    if (event.type === 'hello') askInTurn();
    if (event.type !== 'recording-changed' && event.type !== 'recording-removed') return;
    if (event.type === 'recording-removed' && event.recordingId !== undefined) addRemoved(event.recordingId);
    if (event.recordingId === undefined) askInTurn();
    else askInTurn(event.recordingId);
  });
  askInTurn();
}
