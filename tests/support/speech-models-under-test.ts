import { onTestFinished } from 'vitest';
import {
  createSpeechModels,
  type SpeechModelsDeps,
} from '#server/features/speech-models/create-speech-models.ts';
import { readModelRows } from '#server/features/speech-models/model-rows.ts';
import { createApp } from '#server/http/app.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { JobRunner } from '#server/jobs/job-runner.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { SpeechModelRow } from '#server/storage/database/operations-tables.ts';
import type { HeardChunk, Transcriber } from '#server/transcribers/transcriber.ts';
import { freshDatabase } from './databases.ts';
import { fakeClock } from './fake-clock.ts';
import { MemoryBlobStore } from './memory-blob-store.ts';
import type { MadeModel } from './made-model.ts';

const spoken =
  'And so, my fellow Americans: ask not what your country can do for you, ask what you can do for your country.';

/** An engine that hears these words in everything. */
export const fakeTranscriber = (
  given: Partial<Transcriber> & { text?: string; chunk?: Partial<HeardChunk> } = {},
): Transcriber => {
  const { text = spoken, chunk = {}, ...replaced } = given;
  return {
    isInstalled: () => true,
    address: null,
    async transcribe(_sound, request) {
      const words = text.split(' ').map((word, index) => ({ fromMs: index, toMs: index + 1, text: word }));
      const heard = {
        fromMs: 0,
        toMs: 11_000,
        language: 'en',
        timing: 'word',
        words,
        doubt: null,
        cause: null,
      } as const;
      await request.onChunk({ ...heard, ...chunk }, 11_000);
    },
    close: async () => undefined,
    ...replaced,
  };
};

type Given = Partial<
  Pick<SpeechModelsDeps, 'transcriber' | 'space' | 'download' | 'copiesFolder' | 'database'>
> & {
  models: readonly MadeModel[];
  modelsUrl: string;
  blobs?: BlobStore;
  isAdmin?: boolean;
};

/** The feature on stores in memory, without a port: requests are injected and jobs run on demand. */
export async function speechModelsUnderTest({
  models,
  modelsUrl,
  blobs = new MemoryBlobStore(),
  isAdmin = true,
  ...given
}: Given) {
  const clock = fakeClock();
  const database = given.database ?? (await freshDatabase());
  const queue = createJobQueue({ clock });
  const announced = { count: 0 };
  const feature = createSpeechModels({
    clock,
    queue,
    blobs,
    modelsUrl,
    announce: {
      transcriberChanged: () => {
        announced.count += 1;
      },
    },
    transcriber: null,
    copiesFolder: null,
    space: async () => ({ freeBytes: 2 ** 40, reserveBytes: 0 }),
    known: models.map(({ model }) => model),
    ...given,
    database,
    download: { retryDelaysMs: [1, 1, 1, 1], ...given.download },
  });
  const app = createApp({
    routes: feature.routes ?? [],
    config: { publicUrl: 'http://localhost', trustedProxyHops: 0 },
    identify: {
      session: async () => ({
        kind: 'session',
        userId: 'anna',
        role: isAdmin ? 'admin' : 'member',
        sessionId: 's',
        tokenHash: '',
        authTimeMs: 0,
      }),
      uploadCapability: async () => null,
    },
  });
  onTestFinished(() => app.close());
  const runner = new JobRunner({ database, queue, clock, handlers: feature.jobs ?? [] });
  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    more: { payload?: Buffer | object; headers?: Record<string, string> } = {},
  ) =>
    app.inject({
      method,
      url: `/api/admin/${path}`,
      ...(more.payload === undefined ? {} : { payload: more.payload }),
      headers: {
        origin: 'http://localhost',
        'x-requested-with': 'earshot',
        cookie: 'sid=x',
        ...more.headers,
      },
    });
  return {
    feature,
    database,
    blobs,
    clock,
    announced,
    runner,
    call,
    row: async (name: MadeModel['model']['name']): Promise<SpeechModelRow | undefined> =>
      (await readModelRows(database.queries)).get(name),
    /** The state of a model as the page shows it. */
    shown: async (name: string) => {
      const reply = (await call('GET', 'speech-models')).json<{ models: Record<string, unknown>[] }>();
      return reply.models.find((model) => model['name'] === name) ?? {};
    },
  };
}
