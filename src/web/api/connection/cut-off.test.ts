import { beforeAll, expect, test, vi } from 'vitest';
import { sessionState } from '#web/api/session-state.ts';
import { cutOff, maxSilentWaitMs, watchFirstAnswer } from './cut-off.ts';

const rest = {
  signUp: 'open',
  hasMail: false,
  needsSetUpCode: false,
  methods: null,
  notices: [],
  isLeaving: false,
} as const;

beforeAll(() => {
  vi.useFakeTimers();
  watchFirstAnswer();
});

test('counts a server as unreachable after two seconds of silence, until the session is known', () => {
  vi.advanceTimersByTime(maxSilentWaitMs - 1);
  expect(cutOff.getSnapshot()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(cutOff.getSnapshot()).toBe(true);
  sessionState.set({ status: 'signed-out', user: null, ...rest });
  expect(cutOff.getSnapshot()).toBe(false);
});
