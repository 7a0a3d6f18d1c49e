import { expect, test } from 'vitest';
import type { FromEncodeWorker, ToEncodeWorker } from '#workers/encode/messages.ts';
import type { TakeRecord } from '#workers/encode/take-record.ts';
import { createRecovery, type RecoveredTake } from './recovery.ts';

const upload = { token: 'token', expiresAt: '2026-12-01T00:00:00.000Z', appendIntervalMs: 500 };
const record = (id: string, changes: Partial<TakeRecord> = {}): TakeRecord => ({
  id, ownerId: null, title: id, startedAtMs: 0, timeZone: 'UTC', quality: 'speech', deviceLabel: null, sampleRateHz: 48_000, channels: 1,
  state: 'recording', segments: [], markers: [], gaps: [], pauses: [], durationMs: 1000, sizeBytes: 10, upload: null, receiptAtMs: null, deletedAtMs: null, updatedAtMs: 0,
  ...changes,
});

/** Runs one recovery in which each worker answers as the script says. */
async function recover(records: TakeRecord[], userId: string | null, answers: (message: ToEncodeWorker) => FromEncodeWorker[]) {
  const recovered: RecoveredTake[] = [];
  const started: string[] = [];
  const posted: ToEncodeWorker[] = [];
  let alive = 0;
  let mostAlive = 0;
  await createRecovery({
    listTakes: async () => records,
    heldTakeIds: async () => new Set(),
    startTakeWorker: ({ onMessage }) => {
      alive += 1;
      mostAlive = Math.max(mostAlive, alive);
      return {
        post: (message) => {
          posted.push(message);
          if (message.type === 'recover') started.push(message.takeId);
          setImmediate(() => { for (const answer of answers(message)) onMessage(answer); });
        },
        terminate: () => { alive -= 1; },
      };
    },
    registry: {
      userId: () => userId, onSessionChange: () => () => {}, register: async ({ title }) => ({ upload, title }), rename: async () => {},
      failureOf: () => 'never', wait: async () => {},
    },
    onChange: () => {}, onReceipt: () => {}, onRecovered: (take) => { recovered.push(take); },
  }).run();
  return { recovered, started, posted, mostAlive, alive };
}

const homeward = (message: ToEncodeWorker): FromEncodeWorker[] => {
  if (message.type === 'recover') return [{ type: 'stopped', takeId: message.takeId, durationMs: 700 }, { type: 'attach-needed', takeId: message.takeId, reason: 'none' }];
  return message.type === 'attach' ? [{ type: 'receipt', takeId: 'any', durationMs: 700 }] : [];
};

test('takes are brought home one after another, and told of', async () => {
  const { started, recovered, mostAlive, alive } = await recover([record('a'), record('b')], 'rosa', homeward);
  expect(started).toEqual(['a', 'b']);
  expect(recovered.map(({ id, durationMs }) => [id, durationMs])).toEqual([['a', 700], ['b', 700]]);
  expect([mostAlive, alive]).toEqual([1, 0]);
});

test('a take that was whole before is sent without a word', async () => {
  expect((await recover([record('a', { state: 'stopped' })], 'rosa', homeward)).recovered).toEqual([]);
});

test('with nobody signed in the journal is closed and its worker let go', async () => {
  const { recovered, posted, alive } = await recover([record('a')], null, homeward);
  expect(recovered).toHaveLength(1);
  expect(posted.map(({ type }) => type)).toEqual(['recover']);
  expect(alive).toBe(0);
});

test('a take that another tab holds is left to it', async () => {
  const { alive, recovered } = await recover([record('a')], 'rosa', () => [{ type: 'failed', takeId: 'a', code: 'locked', detail: '' }]);
  expect([alive, recovered.length]).toEqual([0, 0]);
});
