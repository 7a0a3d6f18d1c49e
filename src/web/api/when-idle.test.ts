import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionState } from './session-state.ts';
import { knownQueryClient } from './queries/known-query-client.ts';
import { afterFirstResponses } from './when-idle.ts';

const unknown = sessionState.getSnapshot();
const answerSession = () => {
  sessionState.set({ ...unknown, status: 'signed-out', user: null });
};

/** Starts waiting; the returned function says whether it is over. */
function waiting(): () => boolean {
  let isOver = false;
  void afterFirstResponses().then(() => {
    isOver = true;
  });
  return () => isOver;
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  sessionState.set(unknown);
  knownQueryClient.set(null);
  vi.useRealTimers();
});

describe('afterFirstResponses', () => {
  it('waits until the session is known and the page is idle', async () => {
    const isOver = waiting();
    await vi.advanceTimersByTimeAsync(2000);
    expect(isOver()).toBe(false);
    answerSession();
    await vi.advanceTimersByTimeAsync(1000);
    expect(isOver()).toBe(true);
  });

  it('waits until the page’s requests have their responses', async () => {
    const client = new QueryClient();
    knownQueryClient.set(client);
    answerSession();
    let answer = (_list: string) => {};
    void client.fetchQuery({
      queryKey: ['list'],
      queryFn: () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    });
    const isOver = waiting();
    await vi.advanceTimersByTimeAsync(3000);
    expect(isOver()).toBe(false);
    answer('the list');
    await vi.advanceTimersByTimeAsync(10);
    expect(isOver()).toBe(true);
  });

  it('waits no longer than five seconds for a server that does not respond', async () => {
    const isOver = waiting();
    await vi.advanceTimersByTimeAsync(4990);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(isOver()).toBe(true);
  });
});
