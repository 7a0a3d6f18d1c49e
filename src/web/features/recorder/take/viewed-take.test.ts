import { expect, test } from 'vitest';
import { createStore } from '#base/store.ts';
import { setViewer } from '#device/takes/viewer.ts';
import { isInProgress, needsThisPage, noTake, takeOf, type TakeState } from './take.ts';
import { takeFor } from './take.suite.ts';
import { viewedTake, viewedTakes } from './viewed-take.ts';

const take = takeFor({ ownerId: 'ana', title: 'My diagnosis' });
const stopped = { status: 'stopped', take, ending: 'asked' } as const;
const states: [TakeState, TakeState][] = [
  [
    { status: 'recording', take },
    { status: 'foreign', ownerId: 'ana', isStopping: false },
  ],
  [
    { status: 'paused', take, cause: null },
    { status: 'foreign', ownerId: 'ana', isStopping: false },
  ],
  [
    { status: 'interrupted', take, cause: 'microphone-lost' },
    { status: 'foreign', ownerId: 'ana', isStopping: false },
  ],
  [
    { status: 'stopping', take, ending: 'asked' },
    { status: 'foreign', ownerId: 'ana', isStopping: true },
  ],
  [stopped, noTake],
  [{ status: 'asking', continues: 'a', result: stopped }, { status: 'asking' }],
  [
    { status: 'asking', isMicrophoneOpen: true, continues: 'a', result: stopped },
    { status: 'asking', isMicrophoneOpen: true },
  ],
  [
    { status: 'rejected', reason: 'microphone-busy', continues: 'a', result: stopped },
    { status: 'rejected', reason: 'microphone-busy' },
  ],
  [noTake, noTake],
];

test.each(states)('of a take of another account, %o, only its existence is left', (state, viewed) => {
  const shown = viewedTake(state, { userId: 'bob' });
  expect(shown).toEqual(viewed);
  expect(takeOf(shown)).toBe(null);
  expect(JSON.stringify(shown)).not.toContain('diagnosis');
  expect(isInProgress(shown)).toBe(isInProgress(state));
});

test.each(states)('its owner sees all of %o', (state) => {
  expect(viewedTake(state, { userId: 'ana' })).toBe(state);
});

test('a viewer who changes changes what is shown, and the same is not shown twice', () => {
  setViewer('ana');
  const takes = createStore<TakeState>({ status: 'recording', take });
  const viewed = viewedTakes(takes);
  expect(viewed.getSnapshot().status).toBe('recording');
  setViewer(null);
  const foreign = viewed.getSnapshot();
  expect(foreign.status).toBe('foreign');
  takes.set({
    status: 'recording',
    take: { ...take, progress: { capturedMs: 9, deviceMs: 9, serverMs: 0 } },
  });
  expect(viewed.getSnapshot()).toBe(foreign);
  takes.set(stopped);
  expect(viewed.getSnapshot()).toBe(noTake);
  expect(needsThisPage(takes.getSnapshot())).toBe(true);
  setViewer('ana');
  expect(viewed.getSnapshot()).toBe(stopped);
});
