import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteDatabase } from './open-sqlite-database.ts';

const manyStatements = 200_000;

test('lets other requests run during a long loop of statements', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-turn-'));
  const database = await openSqliteDatabase({ path: join(directory, 'earshot.db') });
  onTestFinished(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  for (let count = 0; count < manyStatements && !hasTurned; count += 1) await database.ping();
  expect(hasTurned).toBe(true);
});
