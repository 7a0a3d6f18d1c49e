import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ApiClient, playedBytes, sha256Hex } from '#tests/support/api-client.ts';
import { emptyPostgres, launchOn, recordingsOf, userOf } from '#tests/support/recorded-server.ts';
import { runEarshot } from '#tests/support/run-earshot.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { dataPathOf, type EarlierData, earlierDataSchema, earlierVersions } from './earlier-versions.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';

const labelsSchema = z.object({
  items: z.array(z.object({ label: z.string().optional(), text: z.string().optional() })),
});

/** A copy of the data of an earlier version, as its server left it. */
function earlierData(name: string): { dataDir: string; expected: EarlierData } {
  const dataDir = newFolder();
  execFileSync('tar', ['-xzf', dataPathOf(name, 'tar.gz'), '-C', dataDir]);
  return {
    dataDir,
    expected: earlierDataSchema.parse(JSON.parse(readFileSync(dataPathOf(name, 'json'), 'utf8'))),
  };
}

async function labelsOf(client: ApiClient, id: string, kind: 'markers' | 'notes'): Promise<string[]> {
  const { items } = labelsSchema.parse(await client.json('GET', `/api/recordings/${id}/${kind}`));
  return items.map(({ label, text }) => label ?? text ?? '').sort();
}

/** What a user of the earlier version finds now. */
async function foundBy(client: ApiClient, expected: EarlierData): Promise<EarlierData['recordings']> {
  const titles = new Map((await recordingsOf(client)).map(({ id, title }) => [id, title]));
  return Promise.all(
    expected.recordings.map(async ({ id }) => ({
      id,
      title: titles.get(id) ?? '',
      audioSha256: sha256Hex(await playedBytes(client, id)),
      markers: await labelsOf(client, id, 'markers'),
      notes: await labelsOf(client, id, 'notes'),
    })),
  );
}

const sorted = ({ recordings }: EarlierData): EarlierData['recordings'] =>
  recordings.map((recording) => ({ ...recording, markers: recording.markers.toSorted() }));

describe.each(earlierVersions)('data of $name ($reason)', ({ name }) => {
  test('signs its user in, lists and plays the same bytes, and verifies', async () => {
    const { dataDir, expected } = earlierData(name);
    const { client } = await userOf(await launchOn(dataDir), expected.user);
    expect(await recordingsOf(client)).toHaveLength(expected.recordings.length);
    expect(await foundBy(client, expected)).toEqual(sorted(expected));
    // The way back to that version.
    expect(readdirSync(dataDir).filter((file) => file.startsWith('earshot.db.before-'))).toHaveLength(1);
    expect(await runEarshot({ DATA_DIR: dataDir }, 'verify')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^8 streams verified, 0 damaged$/m) as string,
    });
  });

  test('moves to PostgreSQL by a backup, with the same bytes', async ({ skip }) => {
    if (!hasPostgres) return skip('PostgreSQL is not installed');
    const { dataDir, expected } = earlierData(name);
    expect(await runEarshot({ DATA_DIR: dataDir }, 'migrate')).toMatchObject({ code: 0 });
    const target = newFolder();
    expect(await runEarshot({ DATA_DIR: dataDir }, 'backup', target)).toMatchObject({ code: 0 });
    const restoredDir = newFolder();
    copyFileSync(join(dataDir, 'secret.key'), join(restoredDir, 'secret.key'));
    const environment = { DATA_DIR: restoredDir, DATABASE_URL: await emptyPostgres() };
    expect(await runEarshot(environment, 'restore', target, '--verify')).toMatchObject({ code: 0 });
    const { client } = await userOf(await launchOn(restoredDir, environment), expected.user);
    expect(await foundBy(client, expected)).toEqual(sorted(expected));
  });
});

test('the stored data has at most 1 MB', () => {
  const folder = join(import.meta.dirname, 'data');
  const sizes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
});
