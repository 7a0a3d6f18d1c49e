import { beforeEach, describe, expect, test } from 'vitest';
import { createStore } from '#base/store.ts';
import { noTake, type TakeState } from '#web/features/recorder/take/take.ts';
import { takeFor } from '#web/features/recorder/take/take.suite.ts';
import { followOtherTabs } from './follow-other-tabs.ts';
import { takeOfOtherTab } from './take-of-other-tab.ts';
import type { TabMessage, TabsChannel } from './tabs-channel.ts';
import { tellOtherTabs } from './tell-other-tabs.ts';

/** The channels of two tabs, and what the first one sent. */
function twoTabs() {
  const sent: TabMessage[] = [];
  const listeners: {
    recording: ((message: TabMessage) => void)[];
    other: ((message: TabMessage) => void)[];
  } = { recording: [], other: [] };
  const recording: TabsChannel = {
    post: (message) => {
      sent.push(message);
      for (const listener of listeners.other) listener(message);
    },
    listen: (listener) => void listeners.recording.push(listener),
  };
  const other: TabsChannel = {
    post: (message) => {
      for (const listener of listeners.recording) listener(message);
    },
    listen: (listener) => void listeners.other.push(listener),
  };
  return { sent, recording, other };
}

const recordingState = (capturedMs: number, status: 'recording' | 'paused' = 'recording'): TakeState => {
  const take = takeFor({ id: 'take', ownerId: 'ana', progress: { capturedMs, deviceMs: 0, serverMs: 0 } });
  return status === 'paused' ? { status, take, cause: null } : { status, take };
};

function setUp() {
  const tabs = twoTabs();
  const state = createStore<TakeState>(noTake);
  let stops = 0;
  tellOtherTabs({ ...state, stop: () => (stops += 1) }, tabs.recording);
  const writer = Promise.withResolvers<void>();
  const follow = () => followOtherTabs(tabs.other, () => writer.promise);
  return { ...tabs, state, stops: () => stops, writer, follow };
}

beforeEach(() => takeOfOtherTab.set(null));

describe('a take that another tab records', () => {
  test('is known in a tab that was opened before it, and in one that is opened during it', () => {
    const before = setUp();
    before.follow();
    before.state.set(recordingState(0));
    expect(takeOfOtherTab.getSnapshot()).toMatchObject({ takeId: 'take', ownerId: 'ana' });

    takeOfOtherTab.set(null);
    const during = setUp();
    during.state.set(recordingState(61_000, 'paused'));
    during.follow();
    expect(takeOfOtherTab.getSnapshot()).toEqual({
      takeId: 'take',
      ownerId: 'ana',
      capturedMs: 61_000,
      isPaused: true,
    });
  });

  test('is told once a second and at each change, not with every report of the worker', () => {
    const { state, sent } = setUp();
    for (let capturedMs = 0; capturedMs < 3000; capturedMs += 100) state.set(recordingState(capturedMs));
    state.set(recordingState(2950, 'paused'));
    expect(sent.map((message) => ('capturedMs' in message ? message.capturedMs : null))).toEqual([
      0, 1000, 2000, 2950,
    ]);
  });

  test('is over once that tab has stopped it', () => {
    const { state, follow } = setUp();
    follow();
    state.set(recordingState(0));
    state.set(noTake);
    expect(takeOfOtherTab.getSnapshot()).toBeNull();
  });

  test('is over once the worker of a tab that died has given up the take', async () => {
    const { state, follow, writer } = setUp();
    follow();
    state.set(recordingState(0));
    writer.resolve();
    await expect.poll(() => takeOfOtherTab.getSnapshot()).toBeNull();
  });

  test('stops if another tab asks for it, and only this one', () => {
    const { state, other, stops } = setUp();
    other.post({ type: 'stop', takeId: 'take' });
    state.set(recordingState(0));
    other.post({ type: 'stop', takeId: 'another' });
    expect(stops()).toBe(0);
    other.post({ type: 'stop', takeId: 'take' });
    expect(stops()).toBe(1);
  });
});
