import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noTake, takeOf, type Take, type TakeState } from './take.ts';
import { takeFor } from './take.suite.ts';
import { type TakeEvent, nextTakeState } from './take-reducer.ts';

const takeWith = (id: string): Take => takeFor({ id });

const id = fc.constantFrom('a', 'b', 'c');
const ms = fc.integer({ min: 0, max: 100_000 });
const events: fc.Arbitrary<TakeEvent> = fc.oneof(
  fc.constantFrom<TakeEvent>(
    { type: 'start-pressed' },
    { type: 'start-pressed', continues: 'a' },
    { type: 'start-pressed', continues: 'b' },
    { type: 'paused' },
    { type: 'resumed' },
    {
      type: 'continued',
      from: { deviceLabel: 'Other', sourceKind: 'pcm', recorderReason: null, hasLevel: true },
    },
    { type: 'dismissed' },
  ),
  fc.constantFrom<TakeEvent>(
    { type: 'microphone-opened' },
    { type: 'rejected', reason: 'microphone-refused' },
    { type: 'interrupted', cause: 'microphone-lost' },
  ),
  fc.constantFrom<TakeEvent>(
    { type: 'ending', ending: 'asked' },
    { type: 'ending', ending: 'discarded' },
    { type: 'ending', ending: 'storage-full' },
  ),
  id.map((takeId): TakeEvent => ({ type: 'started', take: takeWith(takeId) })),
  fc
    .record({ takeId: id, durationMs: ms })
    .map(({ takeId, durationMs }): TakeEvent => ({ type: 'closed', takeId, durationMs })),
  fc
    .record({ takeId: id, capturedMs: ms, deviceMs: ms, serverMs: ms })
    .map(({ takeId, ...progress }): TakeEvent => ({
      type: 'progress',
      takeId,
      progress,
      condition: 'syncing',
      storageTarget: 'disk',
    })),
  id.map((takeId): TakeEvent => ({ type: 'receipt', takeId })),
  id.map((takeId): TakeEvent => ({ type: 'renamed', takeId, title: `of ${takeId}` })),
  id.map((takeId): TakeEvent => ({ type: 'attached', takeId, ownerId: 'someone' })),
);

/** The first step (before, event, after) of any random history that breaks the rule; null if the rule holds. */
function stepThatBreaks(rule: (before: TakeState, event: TakeEvent, after: TakeState) => boolean): unknown {
  let broken: unknown = null;
  fc.check(
    fc.property(fc.array(events, { maxLength: 60 }), (history) => {
      let state: TakeState = noTake;
      for (const event of history) {
        const after = nextTakeState(state, event);
        if (!rule(state, event, after)) {
          broken = { before: state, event, after };
          return false;
        }
        state = after;
      }
      return true;
    }),
    { numRuns: 500 },
  );
  return broken;
}

const run = (...history: TakeEvent[]) => history.reduce(nextTakeState, noTake);
const started: TakeEvent[] = [{ type: 'start-pressed' }, { type: 'started', take: takeWith('a') }];

describe('a take, after any events in any order', () => {
  test('is never replaced or dropped before it is stopped', () => {
    expect(
      stepThatBreaks((before, _event, after) => {
        const [was, is] = [takeOf(before), takeOf(after)];
        return (
          was === null ||
          was.id === is?.id ||
          before.status === 'asking' ||
          ((before.status === 'stopped' || before.status === 'rejected') && is === null)
        );
      }),
    ).toBeNull();
  });

  test('is stopped only after stopping', () => {
    expect(
      stepThatBreaks(
        (before, _event, after) =>
          after.status !== 'stopped' ||
          before.status === 'stopping' ||
          before.status === 'stopped' ||
          (before.status === 'rejected' && takeOf(before) !== null),
      ),
    ).toBeNull();
  });

  test('starts only after the microphone was requested', () => {
    expect(
      stepThatBreaks(
        (before, _event, after) =>
          takeOf(before) !== null || takeOf(after) === null || before.status === 'asking',
      ),
    ).toBeNull();
  });

  test('never decreases its captured or stored length', () => {
    expect(
      stepThatBreaks((before, _event, after) => {
        const [was, is] = [takeOf(before)?.progress, takeOf(after)?.progress];
        return (
          !was ||
          !is ||
          before.status === 'asking' ||
          (is.capturedMs >= was.capturedMs && is.deviceMs >= was.deviceMs)
        );
      }),
    ).toBeNull();
  });

  test('has no more on the server than on the disk, and no more there than was captured', () => {
    expect(
      stepThatBreaks((_before, _event, after) => {
        const is = takeOf(after)?.progress;
        return !is || (is.serverMs <= is.deviceMs && is.deviceMs <= is.capturedMs);
      }),
    ).toBeNull();
  });

  test('never becomes less safe', () => {
    const order = ['device', 'syncing', 'server'];
    expect(
      stepThatBreaks((before, _event, after) => {
        const [was, is] = [takeOf(before), takeOf(after)];
        return (
          !was || !is || before.status === 'asking' || order.indexOf(is.safety) >= order.indexOf(was.safety)
        );
      }),
    ).toBeNull();
  });

  test('is not changed by events of another take', () => {
    expect(
      stepThatBreaks(
        (before, event, after) =>
          !('takeId' in event) || takeOf(before)?.id === event.takeId || after === before,
      ),
    ).toBeNull();
  });
});

describe('the usual life of a take', () => {
  test('goes from idle through asking, recording, pause and stopping to stopped', () => {
    expect(run({ type: 'start-pressed' }).status).toBe('asking');
    expect(run(...started).status).toBe('recording');
    expect(run(...started, { type: 'paused' }).status).toBe('paused');
    expect(run(...started, { type: 'paused' }, { type: 'resumed' }).status).toBe('recording');
    const stopped = run(
      ...started,
      { type: 'ending', ending: 'asked' },
      { type: 'closed', takeId: 'a', durationMs: 1234 },
    );
    expect(stopped).toMatchObject({
      status: 'stopped',
      ending: 'asked',
      take: { progress: { capturedMs: 1234, deviceMs: 1234 } },
    });
  });

  test('ignores a second press on Record while a take runs', () => {
    const recording = run(...started);
    expect(nextTakeState(recording, { type: 'start-pressed' })).toBe(recording);
    expect(nextTakeState(recording, { type: 'started', take: takeWith('b') })).toBe(recording);
  });

  test('returns from an interruption to recording, or can be stopped during it', () => {
    const interrupted = run(...started, { type: 'interrupted', cause: 'microphone-lost' });
    expect(
      nextTakeState(interrupted, {
        type: 'continued',
        from: { deviceLabel: 'Built-in', sourceKind: 'pcm', recorderReason: null, hasLevel: true },
      }),
    ).toMatchObject({ status: 'recording', take: { deviceLabel: 'Built-in' } });
    expect(nextTakeState(interrupted, { type: 'ending', ending: 'asked' }).status).toBe('stopping');
  });

  test('tracks interruption and pause independently', () => {
    const from = { deviceLabel: null, sourceKind: 'pcm' as const, recorderReason: null, hasLevel: true };
    const both = run(...started, { type: 'interrupted', cause: 'microphone-lost' }, { type: 'paused' });
    expect(both).toMatchObject({ status: 'paused', cause: 'microphone-lost' });
    expect(nextTakeState(both, { type: 'resumed' })).toMatchObject({
      status: 'interrupted',
      cause: 'microphone-lost',
    });
    expect(nextTakeState(both, { type: 'continued', from })).toMatchObject({ status: 'paused', cause: null });
    expect(run(...started, { type: 'paused' }, { type: 'interrupted', cause: 'interrupted' })).toMatchObject({
      status: 'paused',
      cause: 'interrupted',
    });
  });

  test('knows at which gap another microphone took over, and that the same one did not', () => {
    const gap = { atMs: 100, durationMs: 400, cause: 'unknown' as const };
    const from = { deviceLabel: 'Headset', sourceKind: 'pcm' as const, recorderReason: null, hasLevel: true };
    const start: TakeEvent[] = [
      { type: 'start-pressed' },
      { type: 'started', take: takeFor({ deviceLabel: 'Built-in' }) },
      { type: 'gaps', takeId: 'a', gaps: [gap] },
    ];
    const same = run(...start, { type: 'continued', from: { ...from, deviceLabel: 'Built-in' } });
    expect(takeOf(same)).toMatchObject({ microphoneChangeGap: null });
    const other = run(...start, { type: 'continued', from }, { type: 'continued', from });
    expect(takeOf(other)).toMatchObject({ microphoneChangeGap: 1, deviceLabel: 'Headset' });
  });

  test('can be started again after a rejection', () => {
    const rejected = run({ type: 'start-pressed' }, { type: 'rejected', reason: 'microphone-missing' });
    expect(rejected).toEqual({ status: 'rejected', reason: 'microphone-missing' });
    expect(nextTakeState(rejected, { type: 'start-pressed' }).status).toBe('asking');
  });

  test('shows and updates the result of a take that is about to continue, and returns to it on failure', () => {
    const stopped: TakeEvent[] = [
      ...started,
      { type: 'ending', ending: 'asked' },
      { type: 'closed', takeId: 'a', durationMs: 900 },
    ];
    const asking = run(...stopped, { type: 'start-pressed', continues: 'a' }, { type: 'microphone-opened' });
    expect(asking).toMatchObject({ status: 'asking', continues: 'a', isMicrophoneOpen: true });
    expect(takeOf(asking)).toMatchObject({ id: 'a', progress: { capturedMs: 900 } });
    const rejected = [
      { type: 'receipt', takeId: 'a' },
      { type: 'rejected', reason: 'microphone-busy' },
    ] satisfies TakeEvent[];
    const back = rejected.reduce<TakeState>(nextTakeState, asking);
    expect(back).toMatchObject({ status: 'rejected', continues: 'a' });
    expect(nextTakeState(back, { type: 'dismissed' })).toMatchObject({
      status: 'stopped',
      take: { id: 'a', safety: 'server' },
    });
    expect(nextTakeState(back, { type: 'start-pressed', continues: 'a' })).toMatchObject({
      status: 'asking',
      result: { take: { id: 'a' } },
    });
    expect(takeOf(nextTakeState(asking, { type: 'started', take: takeWith('a') }))).toMatchObject({
      id: 'a',
    });
    expect(takeOf(run(...stopped, { type: 'start-pressed' }))).toBeNull();
    expect(takeOf(run(...stopped, { type: 'start-pressed', continues: 'b' }))).toBeNull();
  });

  test('is safe on the server after the receipt', () => {
    const closed = run(
      ...started,
      { type: 'ending', ending: 'asked' },
      { type: 'closed', takeId: 'a', durationMs: 900 },
      { type: 'receipt', takeId: 'a' },
    );
    expect(takeOf(closed)).toMatchObject({ safety: 'server', progress: { serverMs: 900 } });
  });
});
