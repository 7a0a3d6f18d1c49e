import { z } from 'zod';
import type { Queries } from '#server/storage/database/database.ts';

const storedName = 'transcripts';

const defaultSettings = { isOn: true, hoursPerDay: 24 };

const storedSchema = z.object({
  isOn: z.boolean().catch(defaultSettings.isOn),
  hoursPerDay: z.int().min(1).max(1000).catch(defaultSettings.hoursPerDay),
});
export type StoredTranscriptSettings = z.output<typeof storedSchema>;

const parsed = (json: string): StoredTranscriptSettings => {
  try {
    return storedSchema.parse(JSON.parse(json));
  } catch {
    return defaultSettings;
  }
};

/** What administrators decided about transcripts. */
export async function readTranscriptSettings(queries: Queries): Promise<StoredTranscriptSettings> {
  const row = await queries
    .selectFrom('installation')
    .select('value')
    .where('name', '=', storedName)
    .executeTakeFirst();
  return row === undefined ? defaultSettings : parsed(row.value);
}

/** Stores what administrators decided about transcripts. */
export async function writeTranscriptSettings(
  queries: Queries,
  settings: StoredTranscriptSettings,
): Promise<void> {
  const value = JSON.stringify(settings);
  await queries
    .insertInto('installation')
    .values({ name: storedName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
