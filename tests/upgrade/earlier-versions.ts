import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const versionsSchema = z.object({
  versions: z.array(z.object({ name: z.string(), commit: z.string(), reason: z.string() })),
});

/** The points of history whose data is stored in `data/`. */
export const earlierVersions = versionsSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'earlier-data.json'), 'utf8')),
).versions;

/** What the data of an earlier version contains, as its own server answered. */
export const earlierDataSchema = z.object({
  user: z.object({ email: z.string(), password: z.string() }),
  recordings: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      /** Of what a player gets. */
      audioSha256: z.string(),
      markers: z.array(z.string()),
      notes: z.array(z.string()),
    }),
  ),
});
export type EarlierData = z.infer<typeof earlierDataSchema>;

export const dataPathOf = (name: string, ending: 'json' | 'tar.gz'): string =>
  join(import.meta.dirname, 'data', `${name}.${ending}`);
