import { describe, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { type ApiClient, startTake, newId } from '#tests/support/api-client.ts';
import { newUser, onEveryDatabase, statusOf } from './attack.ts';

/** Simultaneous requests, of which only the first few find space. */
const atOnce = 20;
const spaceLeft = 4;

interface LimitedList {
  name: string;
  max: number;
  /** The path to add and list rows. */
  pathOf: (recordingId: string) => string;
  row: () => { id: string };
  /** Adds this many rows in few requests. */
  fill: (client: ApiClient, recordingId: string, count: number) => Promise<void>;
}

const inOrder = (statuses: readonly number[]): number[] => statuses.toSorted((a, b) => a - b);
const rows = <Row>(count: number, row: () => Row): Row[] => Array.from({ length: count }, row);
const tagRow = () => {
  const id = newId();
  return { id, name: `Tag ${id}`, colour: 'blue' };
};
const viewRow = () => ({ id: newId(), name: 'View', query: 'sort=title' });
const markerRow = () => ({ id: newId(), atMs: 1000, label: '', colour: 'blue' });
const noteRow = () => ({ id: newId(), fromMs: 1000, toMs: null, text: 'note' });

async function inPieces(count: number, add: (piece: number) => Promise<unknown>): Promise<void> {
  for (let left = count; left > 0; left -= limits.labelsTogether)
    await add(Math.min(left, limits.labelsTogether));
}

const lists: LimitedList[] = [
  {
    name: 'saved views',
    max: serverLimits.savedViews,
    pathOf: () => '/api/views',
    row: viewRow,
    fill: async (client, _recordingId, count) => {
      await client.json('POST', '/api/restores/account', { body: { tags: [], views: rows(count, viewRow) } });
    },
  },
  {
    name: 'tags',
    max: serverLimits.tags,
    pathOf: () => '/api/tags',
    row: tagRow,
    fill: async (client, _recordingId, count) => {
      await client.json('POST', '/api/restores/account', { body: { tags: rows(count, tagRow), views: [] } });
    },
  },
  {
    name: 'markers',
    max: limits.markersPerRecording,
    pathOf: (id) => `/api/recordings/${id}/markers`,
    row: markerRow,
    fill: (client, id, count) =>
      inPieces(count, (piece) =>
        client.json('POST', `/api/recordings/${id}/labels`, {
          body: { markers: rows(piece, markerRow), notes: [] },
        }),
      ),
  },
  {
    name: 'notes',
    max: limits.notesPerRecording,
    pathOf: (id) => `/api/recordings/${id}/notes`,
    row: noteRow,
    fill: (client, id, count) =>
      inPieces(count, (piece) =>
        client.json('POST', `/api/recordings/${id}/labels`, {
          body: { markers: [], notes: rows(piece, noteRow) },
        }),
      ),
  },
];

async function countAt(client: ApiClient, path: string): Promise<number> {
  const { items } = (await client.json('GET', path)) as { items: unknown[] };
  return items.length;
}

// Previously the rows were counted outside the transaction that added them: PostgreSQL stored 220 saved views with
// a limit of 200.
onEveryDatabase((launch) => {
  describe('S18: simultaneous requests', () => {
    test.each(lists)('add no more $name than the limit', async ({ max, pathOf, row, fill }) => {
      const client = await newUser(await launch());
      const { recordingId } = await startTake(client);
      const path = pathOf(recordingId);
      await fill(client, recordingId, max - spaceLeft);
      const statuses = await Promise.all(
        rows(atOnce, () => statusOf(client, { method: 'POST', path, body: row() })),
      );
      expect(inOrder(statuses)).toEqual([
        ...rows(spaceLeft, () => 201),
        ...rows(atOnce - spaceLeft, () => 422),
      ]);
      expect(await countAt(client, path)).toBe(max);
    });

    test('add no more tags to a recording than the limit', async () => {
      const client = await newUser(await launch());
      const { recordingId } = await startTake(client);
      const tags = rows(serverLimits.tagsPerRecording + atOnce, tagRow);
      await client.json('POST', '/api/restores/account', { body: { tags, views: [] } });
      const add = (some: { id: string }[]) =>
        statusOf(client, {
          method: 'POST',
          path: '/api/recordings/bulk',
          body: { ids: [recordingId], action: { kind: 'tag', add: some.map(({ id }) => id), remove: [] } },
        });
      expect(await add(tags.slice(0, serverLimits.tagsPerRecording - spaceLeft))).toBe(200);
      const statuses = await Promise.all(
        tags
          .slice(
            serverLimits.tagsPerRecording - spaceLeft,
            serverLimits.tagsPerRecording - spaceLeft + atOnce,
          )
          .map((tag) => add([tag])),
      );
      expect(inOrder(statuses)).toEqual([
        ...rows(spaceLeft, () => 200),
        ...rows(atOnce - spaceLeft, () => 422),
      ]);
      const { tagIds } = (await client.json('GET', `/api/recordings/${recordingId}`)) as { tagIds: string[] };
      expect(tagIds).toHaveLength(serverLimits.tagsPerRecording);
    });
  });
});
