import { describe, expect, it } from 'vitest';
import type { FaultKind } from '#tests/faults/kinds/outcome.ts';
import { JobQueue } from './job-queue.ts';

const kind = (name: string, more: Partial<FaultKind> = {}): FaultKind => ({
  number: 1,
  name,
  allowedLossMs: 0,
  run: async () => ({}),
  ...more,
});
const round = (...kinds: FaultKind[]) => kinds.map((one) => ({ kind: one, seed: 1 }));
const always = () => true;

/** Starts every job that can start. */
function start(queue: JobQueue, isReady: (one: FaultKind) => boolean = always) {
  const started = [];
  for (let job = queue.take(isReady); job; job = queue.take(isReady)) started.push(job);
  return started;
}

const names = (jobs: { kind: FaultKind }[]) => jobs.map(({ kind: { name } }) => name);

describe('jobs in the queue', () => {
  it('start as many as there are slots, the largest and then the longest first', () => {
    const queue = new JobQueue(
      [round(kind('a'), kind('long', { typicalMs: 60_000 }), kind('b'), kind('wide', { places: 2 }))],
      4,
    );
    expect(names(start(queue))).toEqual(['wide', 'long', 'a']);
  });

  it('start a second round only after every kind of the first has started, without waiting for any to end', () => {
    const [a, b] = [kind('a'), kind('b')];
    const queue = new JobQueue([round(a, b), round(a, b)], 3);
    expect(names(start(queue))).toEqual(['a', 'b', 'a']);
    const whole = new JobQueue([round(a, kind('whole', { places: Infinity })), round(a)], 3);
    expect(names(start(whole))).toEqual(['whole']);
  });

  it('get the whole machine if they need it, and let jobs that fit run before', () => {
    const whole = kind('whole', { places: Infinity });
    const [a, b] = [kind('a'), kind('b')];
    const queue = new JobQueue([round(a), round(whole, b), round(whole)], 2);
    const [first, second] = start(queue);
    expect(names([first, second].flatMap((job) => job ?? []))).toEqual(['a', 'b']);
    if (first) queue.end(first);
    expect(start(queue)).toEqual([]);
    if (second) queue.end(second);
    const [third] = start(queue);
    expect(third?.kind.name).toBe('whole');
    expect(start(queue)).toEqual([]);
    if (third) queue.end(third);
    expect(names(start(queue))).toEqual(['whole']);
    expect(queue.isEmpty).toBe(true);
  });

  it('never share a resource that exists once', () => {
    const queue = new JobQueue(
      [round(kind('a', { needs: 'display' }), kind('b', { needs: 'display' }), kind('c'))],
      4,
    );
    const started = start(queue);
    expect(names(started)).toEqual(['a', 'c']);
    for (const job of started) queue.end(job);
    expect(names(start(queue))).toEqual(['b']);
  });

  it('wait while being prepared, and let others run before', () => {
    const slow = kind('slow', { typicalMs: 60_000 });
    const queue = new JobQueue([round(slow, kind('a'))], 4);
    expect(names(start(queue, (one) => one !== slow))).toEqual(['a']);
    expect(queue.isEmpty).toBe(false);
    expect(names(start(queue))).toEqual(['slow']);
  });
});
