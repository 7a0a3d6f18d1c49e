import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { minute } from '#base/duration.ts';
import { wantedWordsOf } from '#base/search-words.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { RecordingPage, SearchHit } from '#contract/recordings.ts';
import { labelHitsOf } from '#server/storage/search/label-hits.ts';
import { apiUnderTest, type ApiUnderTest, type TestUser } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeRecording } from '#tests/support/factories.ts';
import { withoutLimits } from '#tests/support/without-limits.ts';

const markedIn = ({ text, ranges }: SearchHit): string[] => ranges.map(([from, to]) => text.slice(from, to));

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    return { api, user, recordingId: await store(api, user, 'Interview') };
  };
  const store = async (api: ApiUnderTest, user: TestUser, title: string) =>
    (
      await storeRecording(api.database.queries, {
        owner_id: user.id,
        title,
        title_folded: title.toLowerCase(),
        state: 'ready',
        duration_ms: 60 * minute,
      })
    ).id;
  const add = async (...[api, user, url, payload]: [ApiUnderTest, TestUser, string, object]) => {
    expect((await api.as(user, { method: 'POST', url, payload })).statusCode).toBeLessThan(300);
  };
  const mark = (
    api: ApiUnderTest,
    user: TestUser,
    { id, ...marker }: { id: string; atMs: number; label: string },
  ) => add(api, user, `/api/recordings/${id}/markers`, { id: newId(), ...marker });
  const list = async (api: ApiUnderTest, user: TestUser, query: Record<string, string>) =>
    (await api.as(user, { url: '/api/recordings', query })).json<RecordingPage>().items;
  const hit = async (api: ApiUnderTest, user: TestUser, search: string): Promise<SearchHit | null> => {
    const [first] = await list(api, user, { search });
    if (first?.hit === undefined) throw new Error('no hit is named');
    return first.hit;
  };

  describe('the hit of a search', () => {
    test('has its text, moment and matches, and exists only in a search', async () => {
      const { api, user, recordingId: id } = await start();
      await mark(api, user, { id, atMs: 723_000, label: 'The Question about wool' });
      await mark(api, user, { id, atMs: 60_000, label: 'Lunch' });
      const found = await hit(api, user, 'quest');
      expect(found).toEqual({
        kind: 'marker',
        text: 'The Question about wool',
        ranges: [[4, 9]],
        atMs: 723_000,
        more: 0,
      });
      expect((await list(api, user, {}))[0]).not.toHaveProperty('hit');
      expect((await list(api, user, { search: ' ' }))[0]).not.toHaveProperty('hit');
    });

    test('is the text with the most words, the earliest of several, with the number of other matches', async () => {
      const { api, user, recordingId: id } = await start();
      for (const [atMs, label] of [
        [50_000, 'harbour'],
        [40_000, 'harbour in Genoa'],
        [30_000, 'Genoa, at the harbour'],
        [20_000, 'the hills of Genoa'],
      ] as const)
        await mark(api, user, { id, atMs, label });
      const found = await hit(api, user, 'harbour genoa');
      expect(found).toMatchObject({ kind: 'marker', text: 'Genoa, at the harbour', atMs: 30_000, more: 1 });
      expect(found && markedIn(found)).toEqual(['Genoa', 'harbour']);
    });

    test('in a note is an excerpt of bounded length around the words', async () => {
      const { api, user, recordingId: id } = await start();
      await add(api, user, `/api/recordings/${id}/notes`, {
        id: newId(),
        fromMs: 5000,
        text: `${'Long ago.\n'.repeat(200)}then she asked about **wool**, again\n${'And so on. '.repeat(200)}`,
      });
      const found = await hit(api, user, 'wool');
      expect(found).toMatchObject({ kind: 'note', atMs: 5000 });
      expect(found?.text).toMatch(/^….*she asked about \*\*wool\*\*, again .*…$/);
      expect(found?.text.length).toBeLessThanOrEqual(serverLimits.hit.textLength + 2);
      expect(found && markedIn(found)).toEqual(['wool']);
    });

    test('can also be a title, a person, a tag or a file name; a date has no hit', async () => {
      const { api, user, recordingId: id } = await start();
      const tagId = newId();
      await add(api, user, '/api/tags', { id: tagId, name: 'Família' });
      await api.as(user, {
        method: 'PATCH',
        url: `/api/recordings/${id}`,
        payload: { people: ['Grandmother', 'Ærø'], tagIds: [tagId] },
      });
      const named = async (search: string) => {
        const found = await hit(api, user, search);
        return found && [found.kind, found.text, ...markedIn(found), found.atMs];
      };
      expect(await named('interv')).toEqual(['title', 'Interview', 'Interv', null]);
      expect(await named('aero')).toEqual(['person', 'Ærø', 'Ærø', null]);
      expect(await named('familia')).toEqual(['tag', 'Família', 'Família', null]);
      expect(await named('november')).toBeNull();
    });

    test('with a moment precedes an equally good title, in every script', async () => {
      const { api, user, recordingId: id } = await start();
      await mark(api, user, { id, atMs: 9000, label: 'مُقَابَلَة مع أحمـد، 北京大学' });
      expect(
        markedIn(
          (await hit(api, user, 'احمد')) ?? { text: '', ranges: [], kind: 'title', atMs: null, more: 0 },
        ),
      ).toEqual(['أحمـد']);
      expect(
        markedIn(
          (await hit(api, user, '京大')) ?? { text: '', ranges: [], kind: 'title', atMs: null, more: 0 },
        ),
      ).toEqual(['京大']);
      await mark(api, user, { id, atMs: 12_000, label: 'second interview' });
      expect(await hit(api, user, 'interview')).toMatchObject({ kind: 'marker', atMs: 12_000, more: 1 });
    });

    test('is returned even if its moment is unreadable, and for any typed characters', async () => {
      const { api, user, recordingId: id } = await start();
      await mark(api, user, { id, atMs: 9000, label: 'wool (50 %) "soft"' });
      await withoutLimits(api.database);
      await sql`update markers set at_ms = 4611686018427387904`.execute(api.database.queries);
      for (const search of ['wool', '"wool" \'soft\' & | ! (:*', 'wool%_\\ soft'])
        expect(await hit(api, user, search)).toMatchObject({ kind: 'marker', atMs: maxSoundMs });
    });

    test('is the same in a recording with so much text that it is searched in pieces', async () => {
      const { api, user, recordingId: id } = await start();
      const note = (minutes: number, text: string) => ({ id: newId(), fromMs: minutes * minute, text });
      const filler = 'lorem ipsum '.repeat(1000);
      const notes = Array.from({ length: 30 }, (_value, index) => note(index, filler));
      notes[7] = note(7, 'wool');
      notes[12] = note(12, 'grey wool');
      notes[28] = note(28, 'wool, grey');
      for (let start = 0; start < notes.length; start += 15)
        await add(api, user, `/api/recordings/${id}/labels`, { notes: notes.slice(start, start + 15) });
      const wanted = wantedWordsOf('grey wool');
      if (wanted === null) throw new Error('the search has words');
      const inAll = (textBytes: number) => labelHitsOf(api.database, { recordingId: id, wanted, textBytes });
      const [together, inPieces] = [await inAll(0), await inAll(8 * 1024 * 1024)];
      expect(together).toMatchObject([{ text: 'grey wool', atMs: 12 * minute, found: 2, alike: 2 }]);
      expect(inPieces).toEqual(together);
    });

    test('is searched in the first thousand markers of a recording, which bounds the cost of a list', async () => {
      const { api, user, recordingId: id } = await start();
      const markers = (from: number, label: string) =>
        Array.from({ length: 700 }, (_, index) => ({ id: newId(), atMs: (from + index) * 1000, label }));
      for (const from of [0, 700])
        await add(api, user, `/api/recordings/${id}/labels`, {
          markers: markers(from, from === 0 ? 'here' : 'there'),
        });
      await api.runJobs();
      expect(await hit(api, user, 'here')).toMatchObject({ atMs: 0, more: 699 });
      expect(await hit(api, user, 'there')).toMatchObject({ atMs: 700_000, more: 299 });
    });
  });
});
