import { describe, expect, it } from 'vitest';
import { minute } from '#base/duration.ts';
import { commandOf, minutesOf, planSuites, type CiSuite } from './ci-schedule.ts';
import { ciSuites, totalMinutes } from './ci-suites.ts';

const suite = (name: string, minutes: number, more: Partial<CiSuite> = {}): CiSuite => ({
  command: [name],
  minutes,
  ...more,
});
const namesOf = (suites: readonly CiSuite[]): string[] => suites.map(({ command }) => command.join(' '));

const [always, a, b, c, d] = [
  suite('always', 30, { isRequired: true }),
  suite('a', 20),
  suite('b', 20, { covers: [/^b\//] }),
  suite('c', 20),
  suite('d', 20),
];
const planOf = (commitCount: number, changedFiles: string[] = [], minutes = 70) =>
  planSuites([always, a, b, c, d], { commitCount, changedFiles, totalMinutes: minutes });

describe('the plan of a CI run', () => {
  it('has every suite if all of them fit', () => {
    expect(planOf(0, [], 110)).toEqual({ run: [always, a, b, c, d], later: [] });
  });

  it('names the suites that wait for another run', () => {
    expect(namesOf(planOf(1).later)).toEqual(['c', 'd']);
  });

  it('runs each suite in one of three runs, whichever came before', () => {
    for (const optional of [a, b, c, d])
      expect([0, 1, 2].some((count) => planOf(count).run.includes(optional))).toBe(true);
  });

  it('depends only on the commits', () => {
    expect(planOf(7)).toEqual(planOf(7));
    expect(planOf(7)).toEqual(planOf(10));
  });

  it('prefers the suite that covers a changed file to the others', () => {
    expect(namesOf(planOf(1).run)).toContain('a');
    expect(namesOf(planOf(1, ['b/changed.ts']).run)).toContain('b');
    expect(namesOf(planOf(2, ['b/changed.ts'], 70).run)).toEqual(['always', 'b', 'c']);
  });

  it('fits into the time of a run, whatever has changed', () => {
    const everything = [
      'src/device/x.ts',
      'src/audio/x.ts',
      'src/server/commands/x.ts',
      'src/contract/x.ts',
      'locales/x.po',
      'deploy/x',
    ];
    const { run } = planSuites(ciSuites, { commitCount: 0, changedFiles: everything, totalMinutes });
    expect(minutesOf(run)).toBeLessThanOrEqual(totalMinutes);
  });

  it('has what every run needs, even if it takes longer', () => {
    expect(planOf(0, [], 10)).toEqual({ run: [always], later: [a, b, c, d] });
  });
});

describe('the suites of CI', () => {
  it.for([0, 1, 2])('fit into the time of a run, with a commit count of %i', (commitCount) => {
    const { run } = planSuites(ciSuites, { commitCount, changedFiles: [], totalMinutes });
    expect(minutesOf(run)).toBeLessThanOrEqual(totalMinutes);
  });

  it('each run in at least one of three runs', () => {
    const run = new Set(
      [0, 1, 2].flatMap((commitCount) =>
        namesOf(planSuites(ciSuites, { commitCount, changedFiles: [], totalMinutes }).run),
      ),
    );
    expect([...run].sort()).toEqual(namesOf(ciSuites).sort());
  });
});

describe('the command of a suite', () => {
  it('is ended after three times its usual duration', () => {
    expect(commandOf(suite('a', 5))).toEqual({ command: ['a'], timeoutMs: 15 * minute });
    expect(commandOf(suite('a', 5), { slowness: 2 }).timeoutMs).toBe(30 * minute);
  });

  it('gets as many of its extra minutes as the run has to spare', () => {
    const faults = suite('faults', 4, { extraMinutes: 8 });
    expect(commandOf(faults, { spareMinutes: 20 }).command).toEqual(['faults', '--', '--minutes', '12']);
    expect(commandOf(faults, { spareMinutes: 3.5 }).command).toEqual(['faults', '--', '--minutes', '7']);
    expect(commandOf(faults, { spareMinutes: -2 }).command).toEqual(['faults', '--', '--minutes', '4']);
  });

  it('names the part that runs', () => {
    const part = { number: 2, count: 3 };
    expect(commandOf(suite('a', 5, { part })).command).toEqual(['a', '--', '--shard=2/3']);
    const withOptions = { ...suite('a', 5, { part }), command: ['a', '--', '--x'] };
    expect(commandOf(withOptions).command).toEqual(['a', '--', '--x', '--shard=2/3']);
  });
});

describe('the plan for a slow machine', () => {
  const planAt = (slowness: number, commitCount = 0) =>
    planSuites(ciSuites, { commitCount, changedFiles: [], totalMinutes, slowness });
  const partsOf = ({ run }: ReturnType<typeof planAt>) => run.flatMap(({ part }) => part ?? []);

  it('divides no suite on a machine with two idle cores', () => {
    expect(partsOf(planAt(1))).toEqual([]);
  });

  it.for([1.3, 1.6, 2, 2.5])('fits into the time of a run on a machine %d times as slow', (slowness) => {
    expect(minutesOf(planAt(slowness).run) * slowness).toBeLessThanOrEqual(totalMinutes);
  });

  it('runs every part of a divided suite in as many runs as it has parts', () => {
    const [{ count } = { count: 0 }] = partsOf(planAt(2));
    expect(count).toBeGreaterThan(1);
    const numbers = Array.from(
      { length: count },
      (_, commitCount) => partsOf(planAt(2, commitCount))[0]?.number,
    );
    expect(new Set(numbers).size).toBe(count);
  });
});
