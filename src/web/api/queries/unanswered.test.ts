import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#web/api/api-error.ts';
import { maxSilentWaitMs } from '#web/api/connection/cut-off.ts';
import { knownQueryClient } from './known-query-client.ts';
import { retryUnanswered, unanswered, watchQueries } from './unanswered.ts';

const shown = (): string[] => unanswered.getSnapshot().map(({ hash }) => hash);
const offline = () => new ApiError({ code: 'offline', status: 0, problem: null });

let client: QueryClient;
let answers: (() => Promise<string>)[];
let asked = 0;

/** A screen with a query. Each request gets the next response; the last one repeats. */
function screen(): () => void {
  const answer = () => {
    asked += 1;
    return (answers.length > 1 ? answers.shift() : answers[0])?.() ?? Promise.reject(offline());
  };
  return new QueryObserver(client, {
    queryKey: ['list'],
    queryFn: ({ signal }) =>
      Promise.race([
        answer(),
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
      ]),
    retry: false,
    networkMode: 'always',
  }).subscribe(() => undefined);
}

const silence = (): Promise<string> => new Promise(() => undefined);
const rejection = () => Promise.reject(new ApiError({ code: 'forbidden', status: 403, problem: null }));

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  knownQueryClient.set(client);
  watchQueries(client);
  asked = 0;
});
afterEach(() => {
  client.clear();
});

test('reports a query as unanswered after two seconds, until its response arrives', async () => {
  let arrive: (answer: string) => void = () => undefined;
  answers = [
    () =>
      new Promise((resolve) => {
        arrive = resolve;
      }),
  ];
  const leave = screen();
  await vi.advanceTimersByTimeAsync(maxSilentWaitMs - 1);
  expect(shown()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(shown()).toEqual(['["list"]']);
  arrive('rows');
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toEqual([]);
  leave();
});

test('reports an unreachable server at once, also while the request is retried', async () => {
  answers = [() => Promise.reject(offline()), silence];
  const leave = screen();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toEqual(['["list"]']);
  void client.refetchQueries();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toEqual(['["list"]']);
  leave();
});

test('reports neither an error response nor a query that no screen uses', async () => {
  answers = [rejection];
  screen()();
  const leave = screen();
  await vi.advanceTimersByTimeAsync(maxSilentWaitMs);
  expect(shown()).toEqual([]);
  leave();
  answers = [silence];
  client.clear();
  const leaveSilent = screen();
  await vi.advanceTimersByTimeAsync(maxSilentWaitMs);
  expect(shown()).toHaveLength(1);
  leaveSilent();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toEqual([]);
});

test('replaces a silent request on “Try again”', async () => {
  answers = [silence, async () => 'rows'];
  const leave = screen();
  await vi.advanceTimersByTimeAsync(maxSilentWaitMs);
  retryUnanswered();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toBe(2);
  expect(shown()).toEqual([]);
  leave();
});
