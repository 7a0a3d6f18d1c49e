import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { RecordingPage } from '#contract/recordings.ts';
import { apiUnderTest } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeRecording } from '#tests/support/factories.ts';
import { withoutAnyLimit } from '#tests/support/without-limits.ts';

const huge = 4_611_686_018_427_387_904n;
const sorts = [
  ['newest', 'started_at'],
  ['oldest', 'started_at'],
  ['longest', 'duration_ms'],
  ['shortest', 'duration_ms'],
  ['largest', 'size_bytes'],
  ['recently-changed', 'updated_at'],
] as const;

eachDatabase((_dialect, open) => {
  test.each(sorts)(
    'a list sorted by %s returns every recording once, page by page, even with unreadable %s',
    async (sort, column) => {
      const api = await apiUnderTest(await open());
      const user = await api.signIn();
      const ids: string[] = [];
      for (let index = 0; index < 7; index += 1)
        ids.push((await storeRecording(api.database.queries, { owner_id: user.id, state: 'ready' })).id);
      await withoutAnyLimit(api.database);
      // Two are equal, so only their ids distinguish them; one stays readable.
      for (const [index, value] of [huge, huge, huge + 1n, -huge, -huge, -huge - 1n].entries())
        await sql`update recordings set ${sql.ref(column)} = ${sql.raw(String(value))} where id = ${ids[index]}`.execute(
          api.database.queries,
        );
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const answer = await api.as(user, {
          url: '/api/recordings',
          query: { sort, limit: '1', ...(cursor === '' ? {} : { cursor }) },
        });
        expect(answer.statusCode).toBe(200);
        const page: RecordingPage = answer.json();
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect([seen.length, seen.toSorted()]).toEqual([7, ids.toSorted()]);
    },
  );
});
