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

/** Begins whatever can begin. */
function begin(queue: JobQueue, isReady: (one: FaultKind) => boolean = always) {
  const begun = [];
  for (let job = queue.take(isReady); job; job = queue.take(isReady)) begun.push(job);
  return begun;
}

const names = (jobs: { kind: FaultKind }[]) => jobs.map(({ kind: { name } }) => name);

describe('runs that wait for their turn', () => {
  it('begin as many as there are places, the longest first', () => {
    const queue = new JobQueue(
      [round(kind('a'), kind('long', { usualMs: 60_000 }), kind('b'), kind('wide', { places: 2 }))],
      4,
    );
    expect(names(begin(queue))).toEqual(['wide', 'long', 'a']);
  });

  it('never begin a second round before every kind of the first has begun, and wait for none of them to end', () => {
    const [a, b] = [kind('a'), kind('b')];
    const queue = new JobQueue([round(a, b), round(a, b)], 3);
    expect(names(begin(queue))).toEqual(['a', 'b', 'a']);
    const whole = new JobQueue([round(a, kind('whole', { places: Infinity })), round(a)], 3);
    expect(names(begin(whole))).toEqual(['whole']);
  });

  it('have the machine for themselves where they need it, and let what fits go before until then', () => {
    const whole = kind('whole', { places: Infinity });
    const [a, b] = [kind('a'), kind('b')];
    const queue = new JobQueue([round(a), round(whole, b), round(whole)], 2);
    const [first, second] = begin(queue);
    expect(names([first, second].flatMap((job) => job ?? []))).toEqual(['a', 'b']);
    if (first) queue.end(first);
    expect(begin(queue)).toEqual([]);
    if (second) queue.end(second);
    const [third] = begin(queue);
    expect(third?.kind.name).toBe('whole');
    expect(begin(queue)).toEqual([]);
    if (third) queue.end(third);
    expect(names(begin(queue))).toEqual(['whole']);
    expect(queue.isEmpty).toBe(true);
  });

  it('share nothing of which there is only one', () => {
    const queue = new JobQueue(
      [round(kind('a', { needs: 'display' }), kind('b', { needs: 'display' }), kind('c'))],
      4,
    );
    const begun = begin(queue);
    expect(names(begun)).toEqual(['a', 'c']);
    for (const job of begun) queue.end(job);
    expect(names(begin(queue))).toEqual(['b']);
  });

  it('wait for what is being prepared, while others go before', () => {
    const slow = kind('slow', { usualMs: 60_000 });
    const queue = new JobQueue([round(slow, kind('a'))], 4);
    expect(names(begin(queue, (one) => one !== slow))).toEqual(['a']);
    expect(queue.isEmpty).toBe(false);
    expect(names(begin(queue))).toEqual(['slow']);
  });
});
