import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { migrations } from '#server/storage/database/migrations/all-migrations.ts';
import { startTake } from '#tests/support/api-client.ts';
import { type EarlierCode, extractEarlierCode, hasCommit } from '#tests/support/earlier-code.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { makeBuild } from '#tests/support/made-up-build.ts';
import { emptyPostgres, userOf } from '#tests/support/recorded-server.ts';
import { endOf, newFolder } from '#tests/support/start-server.ts';
import { RoundRobinProxy } from '#tests/support/round-robin-proxy.ts';
import { runEarshot } from '#tests/support/run-earshot.ts';
import { RunningTake } from '#tests/support/running-take.ts';
import { hasS3, testBucket } from '#tests/support/test-bucket.ts';
import { dataPathOf, earlierVersions } from './earlier-versions.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';

const previous = z
  .object({ commit: z.string(), reason: z.string() })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'previous-version.json'), 'utf8')));
const noHistory = 'this checkout has no history (git fetch --unshallow)';
const takeCount = 8;

function codeOf(commit: string): EarlierCode {
  const code = extractEarlierCode(commit);
  onTestFinished(code.remove);
  return code;
}

/** A build in place of that of a version. Returns its folder and the paths of its scripts. */
function buildOf(version: string): { directory: string; paths: string[] } {
  const names = ['first', 'library-page', 'language/de-rest'].map((name) => `${name}-${version}.js`);
  return {
    directory: makeBuild(Object.fromEntries(names.map((name) => [name, `export const from = "${name}";`]))),
    paths: names.map((name) => `/assets/${name}`),
  };
}

/** The migrations that a server of earlier code does not work with, by their ledger. */
function unsupportedBy({ directory }: EarlierCode): string[] {
  const folder = join(directory, 'src', 'server', 'storage', 'database', 'migrations');
  const known = readdirSync(folder)
    .filter((name) => /^\d{4}-.*(?<!\.test)\.ts$/.test(name))
    .map((name) => name.replace(/\.ts$/, ''))
    .sort();
  const newest = known.at(-1) ?? '';
  return migrations
    .filter(({ name, oldestCode = name }) => !known.includes(name) && oldestCode > newest)
    .map(({ name }) => name);
}

describe.skipIf(!hasS3 || !hasPostgres)('on PostgreSQL and an object store', () => {
  const bucket = testBucket();

  test(`updates node by node and back while takes run (before: ${previous.reason})`, async ({ skip }) => {
    if (!hasCommit(previous.commit)) return skip(noHistory);
    const code = codeOf(previous.commit);
    // If this fails, name the newest commit that the migrations support, or a migration without its oldestCode.
    expect(unsupportedBy(code)).toEqual([]);
    const proxy = await RoundRobinProxy.open();
    onTestFinished(() => proxy.close());
    const environment = {
      ...bucket.environment(),
      DATABASE_URL: await emptyPostgres(),
      SECRET_KEY: 'one key for all nodes of this test, 32 characters',
      PUBLIC_URL: proxy.url,
      TRUSTED_PROXY_HOPS: '1',
      DRAIN_MS: '1500',
    };
    const [oldBuild, newBuild] = [buildOf('oldoldol'), buildOf('newnewne')];
    const startNode = async (version: 'old' | 'new'): Promise<EarshotServer> => {
      const script = join(
        version === 'old' ? code.directory : join(import.meta.dirname, '..', '..'),
        'tests/support/serve-build.ts',
      );
      const { directory } = version === 'old' ? oldBuild : newBuild;
      const node = await EarshotServer.launch({ ...environment, WEB_DIRECTORY: directory }, newFolder(), {
        script,
      });
      onTestFinished(async () => {
        await node.end('SIGKILL');
      });
      proxy.add(node.url);
      return node;
    };
    const untilReady = (count: number) =>
      vi.waitFor(
        () => {
          expect(proxy.readyCount).toBe(count);
        },
        { timeout: 60_000, interval: 50 },
      );

    const [first, second] = [await startNode('old'), await startNode('old')];
    await untilReady(2);
    const { client } = await userOf({ url: proxy.url });
    const takes: RunningTake[] = [];
    for (let index = 0; index < takeCount; index += 1)
      takes.push(new RunningTake(client, await startTake(client, `Take ${index}`)));

    /** Requests the scripts of the builds and a page often enough to reach every node, while the takes continue. */
    const failuresOf = async (paths: readonly string[]): Promise<string[]> => {
      const before = takes.map(({ sentBytes }) => sentBytes);
      const failures: string[] = [];
      for (let round = 0; round < 6; round += 1)
        for (const path of [...paths, '/library', '/api/recordings']) {
          const { status } = await client.send({
            method: 'GET',
            path,
            headers: { cookie: client.cookie, accept: '*/*' },
          });
          if (status !== 200) failures.push(`${path}: ${status}`);
        }
      await vi.waitFor(
        () => {
          expect(takes.every(({ sentBytes }, index) => sentBytes > (before[index] ?? 0))).toBe(true);
        },
        { timeout: 30_000 },
      );
      return failures;
    };
    const both = [...oldBuild.paths, ...newBuild.paths];
    expect(await failuresOf(oldBuild.paths)).toEqual([]);

    // N−1 and N.
    const third = await startNode('new');
    await untilReady(3);
    expect(await failuresOf(both)).toEqual([]);
    await first.end('SIGTERM');
    expect(await failuresOf(both)).toEqual([]);

    // All N. A tab of the version before is still open.
    const fourth = await startNode('new');
    await second.end('SIGTERM');
    await untilReady(2);
    expect(await failuresOf(both)).toEqual([]);

    // One goes back to N−1.
    const fifth = await startNode('old');
    await untilReady(3);
    await fourth.end('SIGTERM');
    expect(await failuresOf(both)).toEqual([]);

    for (const take of takes) await take.end();
    expect(takes.flatMap(({ failures }) => failures)).toEqual([]);
    for (const node of [third, fifth]) await node.end('SIGTERM');
    expect(await runEarshot({ ...environment, DATA_DIR: newFolder() }, 'verify')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^16 streams verified, 0 damaged$/m) as string,
    });
  });
});

test('a server of a version that the schema does not support refuses to start, in words', async ({
  skip,
}) => {
  const version = earlierVersions.find(({ name }) => name === 'before-objects');
  if (version === undefined || !hasCommit(version.commit)) return skip(noHistory);
  const code = codeOf(version.commit);
  expect(unsupportedBy(code)).not.toEqual([]);
  const dataDir = newFolder();
  execFileSync('tar', ['-xzf', dataPathOf(version.name, 'tar.gz'), '-C', dataDir]);
  expect(await runEarshot({ DATA_DIR: dataDir }, 'migrate')).toMatchObject({ code: 0 });
  const { code: exitCode, said } = await endOf({ DATA_DIR: dataDir }, { script: code.main });
  expect(exitCode).toBe(1);
  expect(said).toMatch(
    /^The database .* was made by a newer version of Earshot \(it has .*0070-tiered-blobs.*\): start that version, or restore a backup/,
  );
});
