import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { sessionCookieName } from '#server/http/session-cookie.ts';
import type { Database } from '#server/storage/database/database.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { startLocalIssuer } from '#scripts/demo/local-issuer.ts';
import { ApiClient, startTake, type Reply } from '#tests/support/api-client.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import {
  codesOf,
  document,
  operations,
  requestFor,
  wireRequest,
  type FuzzedRequest,
} from '#tests/support/fuzz/fuzz-requests.ts';
import { SchemaArbitraries } from '#tests/support/fuzz/schema-arbitraries.ts';
import { Senders } from '#tests/support/fuzz/senders.ts';
import { expectNeighbourUnharmed, expectRestartHolds, newUser, onEveryDatabase } from './attack.ts';

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 10_000);
const unknownMethods = ['QUERY', 'PROPFIND', 'PURGE', 'M-SEARCH'] as const;

/** A provider that responds, so that no outage explains a server error. */
async function provider(): Promise<Record<string, string>> {
  const client = {
    clientId: 'earshot',
    clientSecret: 'a secret of this test alone',
    redirectUris: ['http://localhost/auth/house/callback'],
  };
  const issuer = await startLocalIssuer({
    port: 0,
    client,
    people: [{ sub: 'ann', claims: { name: 'Ann' } }],
    choosePage: () => '',
  });
  onTestFinished(() => issuer.stop());
  return {
    OIDC_HOUSE_ISSUER: issuer.issuer,
    OIDC_HOUSE_NAME: 'House',
    OIDC_HOUSE_CLIENT_ID: client.clientId,
    OIDC_HOUSE_CLIENT_SECRET: client.clientSecret,
  };
}

async function databaseOf(server: EarshotServer): Promise<Database> {
  const { databaseUrl } = server;
  const database =
    databaseUrl === undefined
      ? await openSqliteDatabase({ path: join(server.dataDir, 'earshot.db') })
      : await openPostgresDatabase({ url: databaseUrl });
  onTestFinished(() => database.close());
  return database;
}

const codeOf = (reply: Reply): string => (JSON.parse(reply.body.toString()) as { code: string }).code;

/** Throws if the response does not match the API document. */
function assertDocumented({ operation }: FuzzedRequest, reply: Reply): void {
  const response = operation.responses[reply.status];
  const isDescribed =
    reply.status < 400 || reply.body.length === 0 || codesOf(response).includes(codeOf(reply));
  if (reply.status >= 500 || response === undefined || !isDescribed)
    throw new Error(
      `${operation.operationId} returned ${reply.status}: ${reply.body.toString().slice(0, 500)}`,
    );
}

/** Throws if the server does not reject an unknown method. */
function assertMethodRejected(method: string, reply: Reply): void {
  if (reply.status !== 405 || codeOf(reply) !== 'method-not-allowed')
    throw new Error(`${method} returned ${reply.status}: ${reply.body.toString().slice(0, 500)}`);
}

onEveryDatabase((launch) => {
  test(`S23: ${requests} requests over a socket while jobs run cause no server error or undocumented response`, async () => {
    const server = await launch(await provider());
    const user = await newUser(server);
    const take = await startTake(user);
    const database = await databaseOf(server);
    const senders = new Senders({ database, clock: systemClock }, sessionCookieName(server.url));
    const known = {
      ids: [take.recordingId, take.audioId, take.peaksId],
      tokens: [take.token, randomBytes(32).toString('base64url')],
      emails: ['ann@example.org'],
      passwords: ['kettle river umbrella noon', 'short'],
      providers: ['house'],
    };
    const arbitraries = new SchemaArbitraries(document, known);
    const client = new ApiClient(server.url);
    onTestFinished(() => {
      client.close();
    });
    const accepted = new Set<string>();
    const anyRequest = fc
      .constantFrom(...operations)
      .chain((operation) => requestFor(operation, arbitraries));
    const anyMethod = fc.oneof(
      { weight: 19, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom(...unknownMethods) },
    );
    await expectNeighbourUnharmed(server, async () => {
      await fc.assert(
        fc.asyncProperty(anyRequest, anyMethod, async (sent, unknownMethod) => {
          const { method, url, query, headers, payload } = wireRequest(
            sent,
            await senders.headersOf(sent.who, { authorization: `Bearer ${take.token}` }),
          );
          const search = new URLSearchParams(query).toString();
          const reply = await client.send({
            method: unknownMethod ?? method,
            path: search === '' ? url : `${url}?${search}`,
            headers,
            body: payload === undefined ? undefined : Buffer.from(payload),
          });
          if (unknownMethod === null) assertDocumented(sent, reply);
          else assertMethodRejected(unknownMethod, reply);
          if (reply.status < 300) accepted.add(sent.operation.operationId);
        }),
        { numRuns: requests },
      );
    });
    // The fuzzing is only useful if some requests of many kinds are accepted.
    expect(accepted.size).toBeGreaterThan(15);
    await expectRestartHolds(server, user);
  }, 900_000);
});
