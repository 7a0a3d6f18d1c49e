import { until } from '#tests/faults/world/take.ts';
import { acts, isPossible, perform } from './acts.ts';
import { lossesOf, violationsOf, type Violation } from './invariants.ts';
import { activeOwners, isStoring, observe, ownerOf, type Model, type OwnerName } from './model.ts';
import { goTo } from './navigate.ts';
import { readAll, type Reading } from './reading.ts';
import { World } from './world.ts';

export interface WalkResult {
  /** The acts that were done. */
  acts: string[];
  violation: Violation | null;
}

/** How long the screen may take to say what is true, also on a busy machine. */
const settleMs = 10_000;
/** How long nothing may be wrong after an act: a page may learn of what happened elsewhere only then. */
const calmMs = 600;
/** How long an upload may take once everything is back. */
const uploadMs = 60_000;

type Judge = (reading: Reading, model: Model) => Violation[];

/** Reads until nothing has been wrong for a moment. What stays wrong is a violation. */
async function settle(
  world: World,
  judge: Judge,
  { withinMs = settleMs, forMs = 0 }: { withinMs?: number; forMs?: number } = {},
): Promise<Violation | null> {
  let last: Violation | null = null;
  let calmSinceMs: number | null = null;
  const reading = async () => {
    const now = await readAll(world).catch((error: unknown) => {
      last = { rule: 'every surface can be read', seen: String(error) };
      throw error;
    });
    observe(world.model, now);
    last = judge(now, world.model)[0] ?? null;
    calmSinceMs = last === null ? (calmSinceMs ?? Date.now()) : null;
    return calmSinceMs !== null && Date.now() - calmSinceMs >= forMs ? true : null;
  };
  return until(reading, 'a screen without a violation', withinMs).then(
    () => null,
    () => last,
  );
}

/** The pages that a tab which does not act shows after each act. */
const surfacePaths = (world: World): string[] => {
  const newest = world.model.takes.at(-1);
  return ['/library', ...(newest ? [`/recordings/${newest.id}`] : []), '/settings/storage', '/trash', '/'];
};

/** Reads every surface in the tab that does not act, unless it records. */
async function lookAround(world: World): Promise<Violation | null> {
  const other = 1 - world.acting;
  if (!world.tabs[other] || !isStoring(world.model)) return null;
  const { surfaces } = await readAll(world);
  if (surfaces[other]?.isCapturing) return null;
  for (const path of surfacePaths(world)) {
    await goTo({ page: world.tabs[other] }, path);
    const violation = await settle(world, violationsOf);
    if (violation) return violation;
  }
  return null;
}

/** Does one act, and judges what every surface says then, also a moment later. */
async function step(world: World, name: string, forMs = 0): Promise<Violation | null> {
  try {
    await perform(world, name);
  } catch (error) {
    return { rule: 'an act that is offered works', seen: `${name}: ${String(error).split('\n')[0]}` };
  }
  return (await settle(world, violationsOf, { forMs })) ?? lookAround(world);
}

/** Does those acts that are possible. */
async function trySteps(world: World, names: readonly string[]): Promise<Violation | null> {
  for (const name of names) {
    const violation = (await isPossible(world, name)) ? await step(world, name) : null;
    if (violation) return violation;
  }
  return null;
}

/** Lets an owner sign in, and waits until everything of that owner is stored. */
async function collect(world: World, name: OwnerName): Promise<Violation | null> {
  const { model } = world;
  const entry = model.signedIn === name ? [] : ['sign out', `sign in as ${name}`];
  const ofOwner: Judge = (reading) => {
    const takes = model.takes.filter((take) => ownerOf(take, reading) === name);
    return lossesOf(reading, { ...model, takes });
  };
  return (
    (await trySteps(world, [...entry, 'add to library'])) ??
    (model.signedIn === name ? null : { rule: 'an owner can sign in', seen: name }) ??
    (await settle(world, ofOwner, { withinMs: uploadMs })) ??
    trySteps(world, ['to the library', 'to the storage', 'to the recorder'])
  );
}

/** Brings everything back, stops the take, lets every owner sign in, and judges what is stored then. */
async function finish(world: World): Promise<Violation | null> {
  const space = ['server has space', 'device has space'];
  const access = ['online', 'server back', 'account turned on'];
  const ending = [...space, ...access, 'close the other tab', 'to the recorder', 'stop'];
  const violation = await trySteps(world, ending);
  const owners = activeOwners(world.model);
  const [first, second] = world.model.signedIn === 'Ben' ? owners.toReversed() : owners;
  return (
    violation ??
    (first ? await collect(world, first) : null) ??
    (second ? await collect(world, second) : null) ??
    settle(world, lossesOf, { withinMs: uploadMs })
  );
}

/**
 * Walks in a new world. Ends at the first violation.
 * @param choose the next act, by those that are possible; null ends the walk
 */
export async function walk(
  choose: (world: World, done: readonly string[]) => Promise<string | null>,
  onAct: (name: string) => void = () => undefined,
): Promise<WalkResult> {
  const world = await World.open();
  const done: string[] = [];
  try {
    for (let name = await choose(world, done); name !== null; name = await choose(world, done)) {
      done.push(name);
      onAct(name);
      const violation = await step(world, name, name.startsWith('to the') ? 0 : calmMs);
      if (violation) return { acts: done, violation };
    }
    onAct('finish');
    return { acts: done, violation: await finish(world) };
  } finally {
    await world.close();
  }
}

/** How long an act of a sequence may take to become possible. */
const becomesPossibleMs = 3000;

/** Repeats a walk. Acts that do not become possible are left out. */
export function replay(names: readonly string[], onAct?: (name: string) => void): Promise<WalkResult> {
  const left = [...names];
  const becomesPossible = (world: World, name: string): Promise<boolean> =>
    until(async () => (await isPossible(world, name)) || null, name, becomesPossibleMs).catch(() => false);
  return walk(async (world) => {
    for (let name = left.shift(); name !== undefined; name = left.shift())
      if (await becomesPossible(world, name)) return name;
    return null;
  }, onAct);
}

/** Walks a named pair of states, in which every act has to be possible. */
export async function walkPair(names: readonly string[]): Promise<WalkResult> {
  const result = await replay(names);
  const missing = names.find((name, index) => result.acts[index] !== name);
  return missing === undefined || result.violation !== null
    ? result
    : { ...result, violation: { rule: 'every act of a pair is possible', seen: missing } };
}

/** Chooses acts by their weights, as long as a walk of so many acts lasts. */
export function chooser(random: { next(): number }, length: number) {
  return async (world: World, done: readonly string[]): Promise<string | null> => {
    if (done.length >= length) return null;
    const possible: string[] = [];
    for (const name of Object.keys(acts)) if (await isPossible(world, name)) possible.push(name);
    const weightOf = (name: string): number => acts[name]?.weight ?? 0;
    let left = random.next() * possible.reduce((sum, name) => sum + weightOf(name), 0);
    return possible.find((name) => (left -= weightOf(name)) < 0) ?? null;
  };
}
