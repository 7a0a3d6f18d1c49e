import { createHook } from 'node:async_hooks';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig, type Config } from '#server/config.ts';
import { startServer } from '#server/server.ts';
import { addressOf, onPostgres } from '#tests/support/on-postgres.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { hasPostgres, testPostgresUrl } from '#tests/support/test-postgres.ts';

/** Counts the timers that were set after this call and neither fired for the last time nor were cleared. */
function watchTimers(): () => string[] {
  const open = new Map<number, string>();
  const hook = createHook({
    init(asyncId, type) {
      if (type === 'Timeout') open.set(asyncId, new Error('set here').stack ?? '');
    },
    destroy(asyncId) {
      open.delete(asyncId);
    },
  }).enable();
  onTestFinished(() => {
    hook.disable();
  });
  // Those of the test runner itself do not count.
  return () => [...open.values()].filter((stack) => !stack.includes('/vitest/'));
}

/** The files below a folder that this process has open. */
const openBelow = (folder: string): string[] =>
  readdirSync('/proc/self/fd')
    .map((descriptor) => {
      try {
        return readlinkSync(join('/proc/self/fd', descriptor));
      } catch {
        return '';
      }
    })
    .filter((path) => path.startsWith(folder));

const configOf = (environment: Record<string, string>): Config =>
  readConfig({ DATA_DIR: newFolder(), LOG_LEVEL: 'silent', DISK_RESERVE_BYTES: '0', ...environment });

/** A port that another program uses until the test ends. */
async function usedPort(): Promise<string> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => other.close(() => resolve())));
  return String((other.address() as AddressInfo).port);
}

/** The ports that this process listens on, and its child processes. */
const openResources = (): string[] =>
  process
    .getActiveResourcesInfo()
    .filter((type) => type === 'TCPServerWrap' || type === 'ProcessWrap')
    .toSorted();

/** A database of its own on the PostgreSQL server of the tests. */
async function newPostgres(): Promise<{ url: string; countConnections: () => Promise<number> }> {
  const name = `start_${process.pid}_${Date.now()}`;
  await onPostgres(testPostgresUrl, (client) => client.query(`create database ${name}`));
  onTestFinished(async () => {
    await onPostgres(testPostgresUrl, (client) => client.query(`drop database ${name} with (force)`));
  });
  const connections = `select count(*)::int as count from pg_stat_activity where datname = '${name}'`;
  return {
    url: addressOf(testPostgresUrl, name),
    countConnections: () =>
      onPostgres(testPostgresUrl, async (client) => {
        const { rows } = await client.query<{ count: number }>(connections);
        return rows[0]?.count ?? 0;
      }),
  };
}

const unused = { webDirectory: '/nowhere' };

describe.skipIf(!existsSync('/proc/self/fd'))(
  'a server leaves no timer, open file, port or child process',
  () => {
    test('when its own port is in use', async () => {
      const config = configOf({ PORT: await usedPort() });
      const [timers, resources] = [watchTimers(), openResources()];
      await expect(startServer(config, unused)).rejects.toThrow('already uses port');
      await turn();
      expect([timers(), openBelow(config.dataDir), openResources()]).toEqual([[], [], resources]);
    });

    test('after it was stopped', async () => {
      const config = configOf({ PORT: '0' });
      const timers = watchTimers();
      const server = await startServer(config, unused);
      await server.stop({ drains: false });
      await turn();
      expect([timers(), openBelow(config.dataDir)]).toEqual([[], []]);
    });
  },
);

test.skipIf(!hasPostgres)('a server whose port is in use leaves no connection to PostgreSQL', async () => {
  const { url, countConnections } = await newPostgres();
  const config = configOf({ PORT: await usedPort(), DATABASE_URL: url });
  const timers = watchTimers();
  await expect(startServer(config, unused)).rejects.toThrow('already uses port');
  await expect.poll(countConnections).toBe(0);
  await expect.poll(timers).toEqual([]);
});
