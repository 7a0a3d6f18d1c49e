import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { systemClock as clock } from '#base/clock.ts';
import { blobKeyOfFile } from '#server/features/speech-models/known-models.ts';
import { readModelRows, writeModelRow } from '#server/features/speech-models/model-rows.ts';
import { requestWork } from '#server/features/speech-models/models-deps.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { madeModelOf } from '#tests/support/made-model.ts';
import { startModelServer } from '#tests/support/model-server.ts';
import { newFolder } from '#tests/support/start-server.ts';

const script = fileURLToPath(new URL('../../../../../tests/support/get-models.process.ts', import.meta.url));
const pieceBytes = 1024 * 1024;
const sizeBytes = 8 * pieceBytes;
const kills = 10;

test('a download whose process is killed ten times stores the same bytes', async () => {
  const folder = newFolder();
  const made = madeModelOf('whisper-base', { sizeBytes });
  const server = await startModelServer([made]);
  const database = await openSqliteDatabase({ path: join(folder, 'earshot.db') });
  await writeModelRow(database.queries, 'whisper-base', { state: 'downloading', updated_at: clock.nowMs() });
  await requestWork(createJobQueue({ clock }), database);
  const stateNow = async () => (await readModelRows(database.queries)).get('whisper-base')?.state;

  for (let killed = 0; killed <= kills; killed += 1) {
    const child = spawn(process.execPath, [script, folder, server.url, String(sizeBytes)], {
      stdio: 'inherit',
    });
    const ended = once(child, 'exit');
    // The host sends about a piece and stops in the middle of the next one, which is when the process is killed.
    const sent = Promise.withResolvers<void>();
    const before = storedBytes(folder, made);
    server.misbehave(({ bytes, fromByte, response }) => {
      if (killed === kills || bytes.byteLength < pieceBytes) return false;
      const start = fromByte ?? 0;
      const end = Math.min(bytes.byteLength, start + pieceBytes + 77_777 * (killed + 1));
      response.writeHead(fromByte === null ? 200 : 206, {
        'content-length': bytes.byteLength - start,
        'content-range': `bytes ${start}-${bytes.byteLength - 1}/${bytes.byteLength}`,
      });
      response.write(bytes.subarray(start, end), () => sent.resolve());
      return true;
    });
    if (killed < kills) await sent.promise;
    // Every other process is killed before it can store what was sent.
    const goal = async (): Promise<boolean> => {
      if (killed === kills) return (await stateNow()) === 'untested';
      return killed % 2 === 1 || storedBytes(folder, made) > before;
    };
    await vi.waitUntil(goal, { timeout: 30_000 });
    child.kill('SIGKILL');
    await ended;
  }
  for (const file of made.model.files)
    expect(readFileSync(join(folder, 'blobs', blobKeyOfFile(file)))).toEqual(made.contents.get(file.path));
  await database.close();
});

/** The size of the largest file. */
function storedBytes(folder: string, made: ReturnType<typeof madeModelOf>): number {
  const decoder = made.model.files.find(({ role }) => role === 'decoder');
  if (decoder === undefined) throw new Error('there is no decoder');
  return statSync(join(folder, 'blobs', blobKeyOfFile(decoder)), { throwIfNoEntry: false })?.size ?? 0;
}
