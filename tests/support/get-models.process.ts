import { join } from 'node:path';
import { createSpeechModels } from '#server/features/speech-models/create-speech-models.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { JobRunner } from '#server/jobs/job-runner.ts';
import { systemClock as clock } from '#base/clock.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { madeModelOf } from './made-model.ts';

/** Downloads a made-up model into a folder, as a server does, until the process is killed. */
const [folder = '', modelsUrl = '', sizeBytes = '0'] = process.argv.slice(2);
const database = await openSqliteDatabase({ path: join(folder, 'earshot.db') });
const queue = createJobQueue({ clock });
const { jobs = [], schedules = [] } = createSpeechModels({
  database,
  clock,
  queue,
  blobs: await openDiskBlobStore({ directory: join(folder, 'blobs') }),
  announce: { transcriberChanged: () => undefined },
  transcriber: null,
  modelsUrl,
  copiesFolder: null,
  space: async () => ({ freeBytes: null, reserveBytes: 0 }),
  known: [madeModelOf('whisper-base', { sizeBytes: Number(sizeBytes) }).model],
});
const runner = new JobRunner({ database, queue, clock, handlers: jobs, leaseMs: 300, pollMs: 20 });
for (const { kind } of schedules) runner.schedule(kind, 200);
runner.start();
