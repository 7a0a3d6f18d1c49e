import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { JobLanes } from './job-lanes.ts';
import { nextJobQuery } from './next-job-query.ts';

it('finds the next job without reading all jobs', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-next-job-'));
  const database = await openSqliteDatabase({ path: join(directory, 'earshot.db') });
  onTestFinished(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });
  const lanes = new JobLanes([
    { kind: 'finish-take', lane: 'normal' },
    { kind: 'finish-import', lane: 'long' },
    { kind: 'mail' },
  ]).claimable([]);
  const { rows } = await sql<{ detail: string }>`explain query plan ${nextJobQuery({
    lanes,
    now: sql<number>`1`,
    owner: 'runner',
    lastTurnOf: 'user',
  })}`.execute(database.queries);
  const details = rows.map(({ detail }) => detail);
  expect(details.filter((detail) => detail.includes('jobs_turns')).length).toBeGreaterThan(0);
  expect(details.filter((detail) => /SCAN (?:jobs|job_lane_turns)\b/.test(detail))).toEqual([]);
});
