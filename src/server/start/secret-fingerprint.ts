import { existsSync } from 'node:fs';
import type { Config } from '#server/config.ts';
import { loadSecretKey, secretKeyPathOf } from '#server/secret-key.ts';
import type { Database } from '#server/storage/database/database.ts';
import { fingerprintOf } from '#server/storage/key-fingerprint.ts';
import { StartError } from '#server/start-error.ts';

const factName = 'secret-key-fingerprint';

/** Returns the fingerprint of the key that the database needs; null if no server has started on it. */
export async function recordedFingerprint({ queries }: Database): Promise<string | null> {
  const row = await queries
    .selectFrom('installation')
    .select('value')
    .where('name', '=', factName)
    .executeTakeFirst();
  return row?.value ?? null;
}

async function record(database: Database, value: string): Promise<void> {
  await database.queries
    .insertInto('installation')
    .values({ name: factName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

async function rejection(database: Database, problem: string, recorded: string): Promise<StartError> {
  const { count } = await database.queries
    .selectFrom('totp')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const loss = `links that were mailed stop working, and ${count} ${count === 1 ? 'account has' : 'accounts have'} two-step sign-in, which cannot be completed until you run "npm run earshot -- two-step-off EMAIL"`;
  return new StartError(
    `${problem}: put your copy of it there; to continue without it (${loss}), set FORGET_SECRET_KEY=${recorded}.`,
  );
}

/**
 * Loads the secret key of this installation and compares it with the one recorded in the database. The first start
 * records it.
 * @throws StartError when the key differs or its file is missing, unless FORGET_SECRET_KEY is the recorded
 * fingerprint
 */
export async function loadMatchingKey(
  config: Pick<Config, 'secretKey' | 'dataDir' | 'forgetSecretKey'>,
  database: Database,
): Promise<Uint8Array> {
  const recorded = await recordedFingerprint(database);
  const mayDiffer = recorded === null || recorded === config.forgetSecretKey;
  const path = secretKeyPathOf(config.dataDir);
  // Creating a new file must not hide that the old one is missing.
  if (!mayDiffer && config.secretKey === '' && !existsSync(path))
    throw await rejection(
      database,
      `The secret key ${path}, which this database needs, is missing`,
      recorded,
    );
  const key = await loadSecretKey({ configured: config.secretKey, dataDir: config.dataDir });
  const present = fingerprintOf(key);
  if (mayDiffer) await record(database, present);
  else if (present !== recorded)
    throw await rejection(
      database,
      `The secret key ${config.secretKey === '' ? path : 'SECRET_KEY'} is not the one that this database needs`,
      recorded,
    );
  return key;
}
