import { describe, expect, test } from 'vitest';
import { minute } from '#base/duration.ts';
import type { ServerStatus } from '#contract/server-status-api.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { hasPrograms, installationUnderTest, patient } from './installation.ts';

type StatusNode = NonNullable<ServerStatus['nodes']['value']>['items'][number];

/** What does not depend on which node answers, nor on when. */
function sharedFacts({ nodes, database, store }: ServerStatus) {
  return {
    nodes: nodes.value?.items.map(({ id, host, role, version, build, startedAt, disk }) => ({
      id,
      host,
      role,
      version,
      build,
      startedAt,
      diskBytes: disk?.totalBytes,
    })),
    totalCount: nodes.value?.totalCount,
    database: [database.kind, database.server.value?.version],
    store: [store.kind, store.place, store.hot?.value?.limitBytes],
  };
}

const ownIdIn = (status: ServerStatus): string | undefined =>
  status.nodes.value?.items.find(({ isThis }) => isThis)?.id;

describe.skipIf(!hasPrograms)('the server status of three nodes', () => {
  const installation = installationUnderTest();
  let admin: ApiClient;

  /** Asks one node, with the session of the administrator. */
  async function statusOf({ url }: EarshotServer): Promise<ServerStatus> {
    const client = installation().clientAt(url);
    client.cookie = admin.cookie;
    return (await client.json('GET', '/api/admin/status')) as ServerStatus;
  }

  /** The node with this id, as each of these nodes shows it. */
  const seenBy = (askedNodes: readonly EarshotServer[], id: string): Promise<(StatusNode | undefined)[]> =>
    Promise.all(
      askedNodes.map(async (asked) =>
        (await statusOf(asked)).nodes.value?.items.find((node) => node.id === id),
      ),
    );

  async function idOf(node: EarshotServer): Promise<string> {
    const id = ownIdIn(await statusOf(node));
    if (id === undefined) throw new Error(`${node.url} does not list itself`);
    return id;
  }

  test('lists all of them with the same facts, whichever answers', async () => {
    admin = (await installation().newUser()).client;
    const { nodes } = installation();
    const read = (): Promise<ServerStatus[]> => Promise.all(nodes.map(statusOf));
    // The first heartbeat follows the start.
    await expect
      .poll(async () => (await read()).map(({ nodes: listed }) => listed.value?.totalCount), patient)
      .toEqual([3, 3, 3]);
    const statuses = await read();
    const [first, ...others] = statuses.map(sharedFacts);
    for (const other of others) expect(other).toEqual(first);
    expect(first).toMatchObject({
      database: ['postgres', expect.stringMatching(/^\d+/)],
      store: ['s3', expect.stringMatching(/^s3:/), expect.any(Number)],
    });
    expect(new Set(first?.nodes?.map(({ id }) => id)).size).toBe(3);
    for (const status of statuses) {
      expect(status.isComplete).toBe(true);
      for (const node of status.nodes.value?.items ?? []) expect(node.state).toBe('running');
    }
    // Each calls another node its own.
    expect(new Set(statuses.map(ownIdIn)).size).toBe(3);
  });

  test('shows a node that was killed as silent after a minute without a heartbeat, and warns of it', async () => {
    const [first, second, killed] = installation().nodes;
    if (!first || !second || !killed) throw new Error('too few nodes');
    const id = await idOf(killed);
    await killed.end('SIGKILL');
    const states = async (): Promise<(string | undefined)[]> => {
      const seen = await seenBy([first, second], id);
      for (const node of seen)
        expect(node?.state).toBe((node?.heartbeatAgeMs ?? 0) > minute ? 'silent' : 'running');
      return seen.map((node) => node?.state);
    };
    expect(await states()).toEqual(['running', 'running']);
    await expect.poll(states, patient).toEqual(['silent', 'silent']);
    for (const asked of [first, second]) {
      const { warnings } = await statusOf(asked);
      expect(warnings.filter(({ code }) => code === 'node-silent')).toEqual([
        { code: 'node-silent', host: expect.any(String), silentMs: expect.any(Number) },
      ]);
    }
    // The process that replaces it in the same place removes its row.
    await killed.start();
    await installation().untilAllReady();
    await expect
      .poll(() => seenBy([first, second, killed], id), patient)
      .toEqual([undefined, undefined, undefined]);
    await expect.poll(async () => (await statusOf(first)).nodes.value?.totalCount, patient).toBe(3);
  });

  test('no longer lists a node that was told to stop, once its process has ended', async () => {
    const [first, second, stopped] = installation().nodes;
    if (!first || !second || !stopped) throw new Error('too few nodes');
    const id = await idOf(stopped);
    expect(await stopped.end('SIGTERM')).toBe(0);
    expect(await seenBy([first, second], id)).toEqual([undefined, undefined]);
    const { nodes, warnings } = await statusOf(second);
    expect(nodes.value?.totalCount).toBe(2);
    expect(warnings.map(({ code }) => code)).not.toContain('node-silent');
  });
});
