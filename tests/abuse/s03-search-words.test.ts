import { describe, expect, test } from 'vitest';
import { type ApiClient, startTake, newId } from '#tests/support/api-client.ts';
import { expectNeighbourUnharmed, expectRestartHolds, newUser, onEveryDatabase, statusOf } from './attack.ts';

const noteLength = 20_000;

/** Words that occur in no other note. */
function noteText(seed: number): string {
  let text = '';
  for (let index = 0; text.length < noteLength - 10; index += 1)
    text += `${(seed * 100_000 + index).toString(36)} `;
  return text;
}

/** Adds long notes to a recording in few requests. */
async function addNotes(
  client: ApiClient,
  recordingId: string,
  { count, seed, textOf = noteText }: { count: number; seed: number; textOf?: (seed: number) => string },
): Promise<void> {
  const together = 10;
  for (let from = 0; from < count; from += together) {
    const notes = Array.from({ length: Math.min(together, count - from) }, (_, index) => ({
      id: newId(),
      fromMs: 0,
      toMs: null,
      text: textOf(seed + from + index),
    }));
    await client.json('POST', `/api/recordings/${recordingId}/labels`, { body: { markers: [], notes } });
  }
}

const foundBy = async (client: ApiClient, search: string): Promise<number | null> => {
  const { total } = (await client.json('GET', `/api/recordings?search=${search}`)) as {
    total: number | null;
  };
  return total;
};

async function addTag(client: ApiClient, name: string): Promise<string> {
  const id = newId();
  await client.json('POST', '/api/tags', { body: { id, name, colour: 'blue' } });
  return id;
}

onEveryDatabase((launch) => {
  describe('S3: the cost of an edit depends on the edited text alone', () => {
    // Previously every rename folded all notes in the server's main thread: with four times this text, a rename
    // took 4.6 s, and an append of the neighbour waited 23 s.
    test('renaming a marker of a recording with very many notes delays no user, and search finds the new name', async () => {
      const server = await launch();
      const client = await newUser(server);
      const { recordingId } = await startTake(client);
      await addNotes(client, recordingId, { count: 100, seed: 1 });
      const marker = newId();
      await client.json('POST', `/api/recordings/${recordingId}/markers`, {
        body: { id: marker, atMs: 0, label: 'first', colour: 'blue' },
      });
      const rename = async (loop: number): Promise<void> => {
        for (let round = 0; round < 60; round += 1) {
          await statusOf(client, {
            method: 'PATCH',
            path: `/api/recordings/${recordingId}/markers/${marker}`,
            body: { label: `b${loop}x${round}` },
          });
        }
      };
      await expectNeighbourUnharmed(server, async () => {
        await Promise.all(Array.from({ length: 8 }, (_, loop) => rename(loop)));
      });
      await expect
        .poll(
          () =>
            statusOf(client, {
              method: 'PATCH',
              path: `/api/recordings/${recordingId}/markers/${marker}`,
              body: { label: 'estuary' },
            }),
          { timeout: 30_000 },
        )
        .toBe(200);
      await expect.poll(() => foundBy(client, 'estuary'), { timeout: 30_000 }).toBe(1);
    });

    // Previously such a note took ten times as long as one in ASCII.
    test('notes of characters that fold to eighteen letters delay no user', async () => {
      const server = await launch();
      const client = await newUser(server);
      const { recordingId } = await startTake(client);
      const count = 120;
      await expectNeighbourUnharmed(server, () =>
        addNotes(client, recordingId, { count, seed: 1, textOf: () => '\ufdfa'.repeat(noteLength) }),
      );
      const { items } = (await client.json('GET', `/api/recordings/${recordingId}/notes`)) as {
        items: unknown[];
      };
      expect(items).toHaveLength(count);
    });

    // Previously the heap filled up and the process crashed, also at every restart (with a heap of 768 MB and 72
    // MB of notes).
    test('renaming a tag of many recordings with very many notes reads no note, nor does a restart', async () => {
      const server = await launch({ NODE_OPTIONS: '--max-old-space-size=224' });
      const client = await newUser(server);
      const tag = await addTag(client, 'Brackwater');
      const count = 40;
      for (let index = 0; index < count; index += 1) {
        const { recordingId } = await startTake(client);
        await addNotes(client, recordingId, { count: 30, seed: index * 100 });
        await client.json('PATCH', `/api/recordings/${recordingId}`, { body: { tagIds: [tag] } });
      }
      await expectNeighbourUnharmed(server, async () => {
        await client.json('PATCH', `/api/tags/${tag}`, { body: { name: 'Saltmarsh' } });
      });
      await expect.poll(() => foundBy(client, 'saltmarsh'), { timeout: 60_000 }).toBe(count);
      await expectRestartHolds(server);
      expect(await foundBy(client, 'saltmarsh')).toBe(count);
    });
  });
});
