import { expect, onTestFinished, test, vi } from 'vitest';
import { createStore } from '#base/store.ts';
import { persistOnFirstTake } from './persist-storage.ts';
import { noTake, type TakeState } from './take.ts';
import { takeFor } from './take.suite.ts';

const stopped: TakeState = { status: 'stopped', ending: 'asked', take: takeFor() };
const recording: TakeState = { status: 'recording', take: takeFor() };

/** Records a take in a browser and lists what happened in the meantime. */
async function record(userAgent: string, state: PermissionState): Promise<string[]> {
  const events: string[] = [];
  const note = (event: string) => () => {
    events.push(event);
    return true;
  };
  vi.stubGlobal('navigator', {
    userAgent,
    permissions: { query: async () => ({ state }) },
    storage: { persisted: async () => false, persist: async () => note('asked')() },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const take = createStore<TakeState>(noTake);
  persistOnFirstTake(take, note('explained'));
  take.set(recording);
  await new Promise((resolve) => setImmediate(resolve));
  note('stopped')();
  take.set(stopped);
  await new Promise((resolve) => setImmediate(resolve));
  return events;
}

test('a browser that prompts is asked after the take, once the question is explained', async () => {
  expect(await record('Firefox/153.0', 'prompt')).toEqual(['stopped', 'explained', 'asked']);
  expect(await record('Firefox/153.0', 'denied')).toEqual(['stopped', 'asked']);
});

test('a browser that decides without a prompt is asked during the take', async () => {
  expect(await record('Chrome/150.0', 'prompt')).toEqual(['asked', 'stopped']);
});
