import { minute } from '#base/duration.ts';
import { namedBrowsers } from '#tests/support/find-browser.ts';
import { Random } from '#tests/faults/world/random.ts';
import { readExplorerOptions } from '#tests/explorer/options.ts';
import { pairs } from '#tests/explorer/pairs.ts';
import { shrink } from '#tests/explorer/shrink.ts';
import { chooser, replay, walk, walkPair, type WalkResult } from '#tests/explorer/walk.ts';
import { buildWeb } from './build-web.ts';
import { timeSoFar } from './elapsed.ts';
import { add, nothing, type Tally } from './summary.ts';

/** How many acts a random walk has. */
const walkLength = 14;
/** The part of the time that the named pairs may take. */
const pairsShare = 0.7;
/** What a walk usually takes; the last one starts only if it fits. */
const walkMs = minute;

const say = (line: string): void => {
  console.log(`${timeSoFar()} ${line}`);
};

/** The shortest found sequence that breaks the same rule, with the command that repeats it. */
async function shortened({ acts, violation }: WalkResult, shrinkMs: number): Promise<string> {
  const endsAtMs = Date.now() + shrinkMs;
  const fails = async (rest: readonly string[]) => (await replay(rest)).violation?.rule === violation?.rule;
  const shortest = await shrink(acts, fails, () => Date.now() > endsAtMs);
  return `npm run test:explorer -- --walk '${shortest.join(',')}'`;
}

/** A walk that fails in CI is repeated, and is flaky if it passes then, as a fault run is. */
async function isFlaky({ acts, violation }: WalkResult): Promise<boolean> {
  return violation !== null && Boolean(process.env['CI']) && (await replay(acts)).violation === null;
}

/** Reports one walk as one test. */
async function judged(name: string, run: () => Promise<WalkResult>, shrinkMs: number): Promise<Tally> {
  const startedMs = Date.now();
  const result = await run();
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  if (result.violation === null) {
    say(`ok    ${name}: ${result.acts.join(' · ')}, ${seconds} s`);
    return { ...nothing, passed: 1 };
  }
  const { rule, seen } = result.violation;
  say(`FAIL  ${name}: ${rule}: ${seen}\n      ${result.acts.join(' · ')}`);
  if (await isFlaky(result)) {
    say(`flaky ${name}: it passed when it was repeated`);
    return { ...nothing, passed: 1, flaky: [`${name}: ${rule}: ${seen}; ${result.acts.join(',')}`] };
  }
  const command = await shortened(result, shrinkMs);
  say(`repeat it: ${command}`);
  return { ...nothing, failed: 1, failures: [`${name}: ${rule}: ${seen}; ${command}`] };
}

/**
 * Walks through the app, the named pairs of states first and then at random, until the time is up. The arguments are
 * those of `readExplorerOptions`.
 */
export async function runExplorerSuite(args: readonly string[]): Promise<Tally> {
  const { seed, minutes, walk: names, shrinkMinutes } = readExplorerOptions(args);
  const judge = (name: string, run: () => Promise<WalkResult>) => judged(name, run, shrinkMinutes * minute);
  const endsAtMs = Date.now() + minutes * minute;
  const pairsEndAtMs = Date.now() + minutes * pairsShare * minute;
  await buildWeb();
  console.log(namedBrowsers());
  if (names !== null) return judge('the walk', () => replay(names, say));
  console.log(`Seed ${seed}`);
  let tally = nothing;
  const hasTime = () => Date.now() + walkMs <= endsAtMs;
  const all = Object.entries(pairs);
  // Where there is not enough time for all of them, each seed begins with others.
  for (const [name, acts] of [...all.slice(seed % all.length), ...all.slice(0, seed % all.length)])
    tally = add(
      tally,
      pairsEndAtMs > Date.now() ? await judge(name, () => walkPair(acts)) : { ...nothing, skipped: 1 },
    );
  for (let number = 0; hasTime(); number += 1) {
    const random = new Random(seed + number);
    tally = add(
      tally,
      await judge(`walk ${number + 1} of seed ${seed}`, () => walk(chooser(random, walkLength))),
    );
  }
  return tally;
}
