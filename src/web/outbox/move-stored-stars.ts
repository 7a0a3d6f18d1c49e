import { entryKeyOf, type OutboxStore } from '#device/outbox/outbox.ts';
import { newEntry } from '#device/outbox/outbox-entry.ts';
import { isRecord, readJson, readText, writeText } from '#device/site-data/text-store.ts';

/** Where earlier builds stored the unsent stars of one user. */
const key = 'earshot.favourites';

const isStar = (value: unknown): value is [recordingId: string, isFavourite: boolean] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';

/** Whether an earlier build left stars in this browser. */
export const hasStoredStars = (): boolean => readText('localStorage', key) !== null;

/**
 * Moves the stars that an earlier build stored to the outbox, without overwriting a later change of the same
 * recording. They remain in localStorage if the outbox can't store them.
 */
export async function moveStoredStars(store: OutboxStore): Promise<void> {
  const stored = readJson('localStorage', key);
  if (isRecord(stored) && typeof stored['userId'] === 'string' && Array.isArray(stored['stars'])) {
    const { userId, stars } = stored;
    const known = new Set((await store.list(userId)).map(entryKeyOf));
    for (const [target, isFavourite] of stars.filter(isStar)) {
      const entry = newEntry({ userId, kind: 'favourite', target, payload: { isFavourite } });
      if (!known.has(entryKeyOf(entry))) await store.put(entry);
    }
  }
  writeText('localStorage', key, null);
}
