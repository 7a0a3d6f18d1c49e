import { expect, test } from 'vitest';
import { minute, second } from '#base/duration.ts';
import { apiOnSqlite, append, startTake } from '#tests/support/api-under-test.ts';
import { startImport } from '#tests/support/import-file.ts';
import { soundBytes } from '#tests/support/sound-bytes.ts';
import { RunningTakes } from './running-takes.ts';

test('counts takes for a minute after their last acknowledgement, until they end', () => {
  let nowMs = 0;
  const takes = new RunningTakes(() => nowMs);
  expect(takes.figures()).toEqual({ count: 0, maxSilenceMs: null });
  takes.acknowledged('a');
  nowMs = 10 * second;
  takes.acknowledged('b');
  nowMs = 11 * second;
  expect(takes.figures()).toEqual({ count: 2, maxSilenceMs: 11 * second });
  takes.acknowledged('a');
  expect(takes.figures()).toEqual({ count: 2, maxSilenceMs: second });
  takes.ended('a');
  nowMs = minute;
  expect(takes.figures()).toEqual({ count: 1, maxSilenceMs: 50 * second });
  nowMs = 10 * second + minute;
  expect(takes.figures()).toEqual({ count: 0, maxSilenceMs: null });
});

test('are takes, and not the imports that arrive', async () => {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const bytes = soundBytes(1000);
  const { take: imported } = await startImport(api, user, { name: 'a.ogg', bytes });
  const taken = await startTake(api, user);
  for (const take of [imported, taken])
    expect((await append(api, take, { uploadId: take.audioId, offset: 0, bytes })).statusCode).toBe(204);
  const { body } = await api.app.inject('/metrics');
  expect(body).toMatch(/^earshot_takes_in_progress 1$/m);
});
