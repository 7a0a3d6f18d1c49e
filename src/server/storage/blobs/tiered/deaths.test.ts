import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deeds,
  type ModelCommand,
  type ModelTally,
  moveSteps,
  TieredModel,
} from '#tests/support/tiered-model.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';

const between = (min: number, max: number) => fc.integer({ min, max });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const deed = fc.constantFrom(...deeds);

const command: fc.Arbitrary<ModelCommand> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      sizeBytes: between(1, 400),
      server: between(0, 2),
      offBytes: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: between(-20, 20) },
      ),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constantFrom('move' as const, 'compose' as const),
      diesAt: fc.option(fc.constantFrom(...moveSteps), { nil: null }),
      deed,
      deedAt: fc.constantFrom(...moveSteps),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('seal' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('put' as const), sizeBytes: between(0, 100) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('truncate' as const), to: share }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), from: share, to: share }) },
);

describe.skipIf(!hasPostgres)('three servers with one database and one bucket', () => {
  const stores = tieredStores();

  it('lose and double no byte, wherever a server dies while it moves bytes', async () => {
    const tally: ModelTally = { deaths: 0, comparisons: 0, kinds: new Set() };
    const model = new TieredModel(stores, tally);
    await model.open();
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), async (commands) => {
        await model.start();
        for (const next of commands) await model.run(next);
        await model.finish();
      }),
      { numRuns: Number(process.env['MODEL_RUNS'] ?? 200) },
    );
    expect(tally.deaths).toBeGreaterThan(20);
    if (process.env['MODEL_RUNS'] !== undefined) console.log({ ...tally, kinds: tally.kinds.size }); // oxlint-disable-line no-console
  });
});
