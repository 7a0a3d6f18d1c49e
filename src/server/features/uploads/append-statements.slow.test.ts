import { Client } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { append, apiUnderTest, startTake } from '#tests/support/api-under-test.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { soundBytes } from '#tests/support/sound-bytes.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';

const takeCount = 100;
const rounds = 14;
const everyMs = 500;
/** PostgreSQL plans a statement for its parameters this often before it uses one plan for all. */
const customPlans = 5;

interface PreparedStatement {
  statement: string;
  customPlans: number;
  genericPlans: number;
}

/** Passes every statement on, and records it with its connection. */
function observeStatements() {
  const sent = vi.spyOn(Client.prototype, 'query') as unknown as {
    mock: { calls: [string | { text?: string; name?: string }][]; contexts: Client[] };
  };
  return {
    clear: () => {
      sent.mock.calls.length = 0;
      sent.mock.contexts.length = 0;
    },
    statements: () =>
      sent.mock.calls.map(([given], index) => ({
        client: sent.mock.contexts[index],
        text: typeof given === 'string' ? given : (given.text ?? ''),
        isNamed: typeof given === 'object' && given.name !== undefined,
      })),
  };
}

describe.skipIf(!hasPostgres)('takes on PostgreSQL, one in each account', () => {
  const stores = tieredStores();

  test('need few statements, and none of them is planned again and again', async () => {
    const observed = observeStatements();
    const database = await openPostgresDatabase({ url: stores.url(), connections: 1 });
    onTestFinished(() => database.close());
    const { store } = await stores.open({ objects: new MemoryObjectStore() });
    const api = await apiUnderTest(database, store);
    const takes = await Promise.all(
      Array.from({ length: takeCount }, async () => startTake(api, await api.signIn())),
    );
    let laterMs = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
    const [piece, peaks] = [soundBytes(100), Buffer.alloc(10, 1)];
    let appends = 0;
    const appendRound = async (round: number): Promise<void> => {
      const replies = await Promise.all(
        takes.flatMap((take) => [
          append(api, take, { uploadId: take.audioId, offset: round * piece.length, bytes: piece }),
          ...(round % 5 === 0
            ? [
                append(api, take, {
                  uploadId: take.peaksId,
                  offset: (round / 5) * peaks.length,
                  bytes: peaks,
                }),
              ]
            : []),
        ]),
      );
      expect(replies.filter(({ statusCode }) => statusCode !== 204)).toEqual([]);
      appends += replies.length;
      laterMs += everyMs;
      api.clock.advance(everyMs);
    };
    // The first append of a take reads what the later ones know.
    await appendRound(0);
    observed.clear();
    appends = 0;
    for (let round = 1; round <= rounds; round += 1) await appendRound(round);

    const statements = observed.statements();
    expect(statements.length / appends).toBeLessThanOrEqual(0.1);
    for (const ofClient of Map.groupBy(statements, ({ client }) => client).values()) {
      const often = [...Map.groupBy(ofClient, ({ text }) => text).values()].filter(
        (same) => same.length > customPlans && !same.every(({ isNamed }) => isNamed),
      );
      expect(often).toEqual([]);
    }
    for (const client of new Set(statements.map((each) => each.client))) {
      const { rows } = (await client?.query<PreparedStatement>(
        `select statement, custom_plans as "customPlans", generic_plans as "genericPlans" from pg_prepared_statements`,
      )) ?? { rows: [] };
      expect(rows.filter((row) => row.customPlans > customPlans)).toEqual([]);
    }
  });
});
