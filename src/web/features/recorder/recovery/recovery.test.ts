import { expect, test } from 'vitest';
import type { FromTakeWorker, ToTakeWorker } from '#workers/take/messages.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import type { TakeRegistry } from '#web/features/recorder/take/attachment.ts';
import { createRecovery, type RecoveredTake } from './recovery.ts';

const upload = { token: 'token', expiresAt: '2026-12-01T00:00:00.000Z', appendIntervalMs: 500 };
const nothingStored = { durationMs: 0, receipts: [] };
const registryOf = (userId: string | null): TakeRegistry => ({
  mayClaim: () => true,
  userId: () => userId,
  onSessionChange: () => () => {},
  register: async ({ title }) => ({ upload, title, stored: nothingStored }),
  reopen: async () => upload,
  rename: async () => {},
  failureOf: () => 'never',
  rejectionOf: () => 'deleted',
  wait: async () => {},
});
const record = (id: string, changes: Partial<TakeRecord> = {}): TakeRecord =>
  takeRecordFor({ id, title: id, durationMs: 1000, sizeBytes: 10, ...changes });

/** Runs one recovery in which each worker responds with the messages of `answers`. */
async function recover(
  records: TakeRecord[],
  userId: string | null,
  answers: (message: ToTakeWorker) => FromTakeWorker[],
) {
  const recovered: RecoveredTake[] = [];
  const started: string[] = [];
  const posted: ToTakeWorker[] = [];
  let alive = 0;
  let maxAlive = 0;
  await createRecovery({
    readDevice: async () => ({ records, heldTakeIds: new Set<string>() }),
    startTakeWorker: ({ onMessage }) => {
      alive += 1;
      maxAlive = Math.max(maxAlive, alive);
      return {
        post: (message) => {
          posted.push(message);
          if (message.type === 'recover') started.push(message.takeId);
          setImmediate(() => {
            for (const answer of answers(message)) onMessage(answer);
          });
        },
        terminate: () => {
          alive -= 1;
        },
      };
    },
    registry: registryOf(userId),
    onChange: () => {},
    onReceipt: () => {},
    onRejected: () => {},
    onRecovered: (take) => {
      recovered.push(take);
    },
  }).run();
  return { recovered, started, posted, maxAlive, alive };
}

const uploadAnswers = (message: ToTakeWorker): FromTakeWorker[] => {
  if (message.type === 'recover')
    return [
      { type: 'stopped', takeId: message.takeId, durationMs: 700 },
      { type: 'attach-needed', takeId: message.takeId, reason: 'none', goesOn: false },
    ];
  return message.type === 'attach' ? [{ type: 'receipt', takeId: 'any', durationMs: 700 }] : [];
};

test('recovers takes oldest first, a few at a time, and reports them', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const { started, recovered, maxAlive, alive } = await recover(
    ids.map((id) => record(id)),
    'rosa',
    uploadAnswers,
  );
  expect(started).toEqual(ids);
  expect(recovered.map(({ id, durationMs }) => [id, durationMs])).toEqual(ids.map((id) => [id, 700]));
  expect([maxAlive, alive]).toEqual([3, 0]);
});

test('closes a take while the upload of another is delayed', async () => {
  const closed: string[] = [];
  const recovery = createRecovery({
    readDevice: async () => ({
      records: [record('stuck', { upload }), record('other', { upload })],
      heldTakeIds: new Set<string>(),
    }),
    startTakeWorker: ({ onMessage }) => ({
      post: (message) => {
        if (message.type !== 'recover') return;
        setImmediate(() => {
          onMessage({ type: 'stopped', takeId: message.takeId, durationMs: 700 });
          if (message.takeId !== 'stuck')
            onMessage({ type: 'receipt', takeId: message.takeId, durationMs: 700 });
        });
      },
      terminate: () => {},
    }),
    registry: registryOf(null),
    onChange: () => {},
    onRecovered: ({ id }) => {
      closed.push(id);
    },
    onReceipt: () => {},
    onRejected: () => {},
  });
  void recovery.run();
  await expect.poll(() => closed).toEqual(['stuck', 'other']);
});

test('does not report a take without audio, unless the server has audio of it', async () => {
  const silent = (message: ToTakeWorker): FromTakeWorker[] =>
    message.type === 'recover'
      ? [
          { type: 'stopped', takeId: 'a', durationMs: 0 },
          { type: 'failed', takeId: 'a', code: 'not-found', detail: '' },
        ]
      : [];
  expect((await recover([record('a', { upload })], 'rosa', silent)).recovered).toEqual([]);
  const ahead = (message: ToTakeWorker): FromTakeWorker[] =>
    message.type === 'recover'
      ? [
          { type: 'stopped', takeId: 'a', durationMs: 0 },
          { type: 'receipt', takeId: 'a', durationMs: 900 },
        ]
      : [];
  expect(
    (await recover([record('a', { upload })], 'rosa', ahead)).recovered.map(({ durationMs }) => durationMs),
  ).toEqual([900]);
});

test('uploads a take that was complete without reporting it', async () => {
  expect((await recover([record('a', { state: 'stopped' })], 'rosa', uploadAnswers)).recovered).toEqual([]);
});

test('closes the journal and ends the worker while signed out', async () => {
  const { recovered, posted, alive } = await recover([record('a')], null, uploadAnswers);
  expect(recovered).toHaveLength(1);
  expect(posted.map(({ type }) => type)).toEqual(['recover']);
  expect(alive).toBe(0);
});

test('ignores a take that another tab holds', async () => {
  const { alive, recovered } = await recover([record('a')], 'rosa', () => [
    { type: 'failed', takeId: 'a', code: 'locked', detail: '' },
  ]);
  expect([alive, recovered.length]).toEqual([0, 0]);
});

test('tries a failing take once per run, and retries one that another tab held', async () => {
  let started: string[] = [];
  let code: 'locked' | 'not-found' = 'not-found';
  const recovery = createRecovery({
    readDevice: async () => ({ records: [record('a')], heldTakeIds: new Set<string>() }),
    startTakeWorker: ({ onMessage }) => ({
      post: (message) => {
        if (message.type !== 'recover') return;
        started.push(message.takeId);
        setImmediate(() => {
          onMessage({ type: 'failed', takeId: message.takeId, code, detail: '' });
        });
      },
      terminate: () => {},
    }),
    registry: registryOf('rosa'),
    onChange: () => {},
    onRecovered: () => {},
    onReceipt: () => {},
    onRejected: () => {},
  });
  await recovery.run();
  await recovery.search();
  await recovery.search();
  expect(started).toEqual(['a']);
  await recovery.run();
  expect(started).toEqual(['a', 'a']);

  started = [];
  code = 'locked';
  await recovery.run();
  await recovery.search();
  expect(started).toEqual(['a', 'a']);
});

test('closes an unowned take, but does not register it before it is claimed', async () => {
  const posted: ToTakeWorker[] = [];
  const recovered: string[] = [];
  await createRecovery({
    readDevice: async () => ({ records: [record('a')], heldTakeIds: new Set<string>() }),
    startTakeWorker: ({ onMessage }) => ({
      post: (message) => {
        posted.push(message);
        setImmediate(() => {
          for (const answer of uploadAnswers(message)) onMessage(answer);
        });
      },
      terminate: () => {},
    }),
    registry: {
      mayClaim: () => false,
      userId: () => 'rosa',
      onSessionChange: () => () => {},
      register: async ({ title }) => ({ upload, title, stored: nothingStored }),
      reopen: async () => upload,
      rename: async () => {},
      failureOf: () => 'never',
      rejectionOf: () => 'deleted',
      wait: async () => {},
    },
    onChange: () => {},
    onRecovered: ({ id }) => {
      recovered.push(id);
    },
    onReceipt: () => {},
    onRejected: () => {},
  }).run();
  expect([recovered, posted.map(({ type }) => type)]).toEqual([['a'], ['recover']]);
});

test('recovers a take that was released to the recorder and did not continue there', async () => {
  const started: string[] = [];
  const recovery = createRecovery({
    readDevice: async () => ({ records: [record('a', { upload })], heldTakeIds: new Set<string>() }),
    startTakeWorker: ({ onMessage }) => ({
      post: (message) => {
        if (message.type !== 'recover') return;
        started.push(message.takeId);
        setImmediate(() => {
          for (const answer of uploadAnswers({ type: 'attach', ownerId: 'rosa', upload })) onMessage(answer);
        });
      },
      terminate: () => {},
    }),
    registry: registryOf('rosa'),
    onChange: () => {},
    onRecovered: () => {},
    onReceipt: () => {},
    onRejected: () => {},
  });
  await recovery.release('a');
  await recovery.run();
  expect(started).toEqual([]);
  recovery.reclaim('a');
  await recovery.search();
  expect(started).toEqual(['a']);
});

test('stores that the server reads no audio in a take', async () => {
  const rejections: string[][] = [];
  const recovery = createRecovery({
    readDevice: async () => ({ records: [record('odd', { upload })], heldTakeIds: new Set<string>() }),
    startTakeWorker: ({ onMessage }) => ({
      post: (message) => {
        if (message.type !== 'recover') return;
        setImmediate(() => {
          onMessage({ type: 'stopped', takeId: message.takeId, durationMs: 700 });
          onMessage({ type: 'rejected', rejection: 'not-audio' });
        });
      },
      terminate: () => {},
    }),
    registry: registryOf('rosa'),
    onChange: () => {},
    onRecovered: () => {},
    onReceipt: () => {},
    onRejected: (takeId, rejection) => {
      rejections.push([takeId, rejection]);
    },
  });
  await recovery.run();
  expect(rejections).toEqual([['odd', 'not-audio']]);
});
