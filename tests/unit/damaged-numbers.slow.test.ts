import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { startSession } from '#server/features/accounts/sessions/sessions-store.ts';
import { apiOnSqlite, startTake, problemOf, recordTake } from '#tests/support/api-under-test.ts';
import { cheapHash, composedServer } from '#tests/support/composed-server.ts';
import { withDamagedNumber } from '#tests/support/fuzz/damaged-requests.ts';
import {
  codesOf,
  document,
  operations,
  requestFor,
  wireRequest,
  type FuzzedRequest,
} from '#tests/support/fuzz/fuzz-requests.ts';
import { SchemaArbitraries } from '#tests/support/fuzz/schema-arbitraries.ts';

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 10_000);
const many = 1_000_000;
const throttleLimits = {
  signUpTriesPerHour: many,
  signUpsPerHour: many,
  signUpsPerAddressPerHour: many,
  mailsPerHour: many,
  mailsPerAddressPerHour: many,
  proofsPerTenMinutes: many,
  secondFactorsPerAccountPerHour: many,
  loginFailuresPerDay: many,
  loginFailuresPerTenMinutes: many,
  freeLoginFailures: many,
};
/** Operations with parameters other than in the path, or with a body. */
const withValues = operations.filter(
  ({ parameters, requestBody }) =>
    requestBody !== undefined || parameters.some(({ in: place }) => place !== 'path'),
);
/** Operations that would break the others. */
const endings = new Set(['deleteAccount']);

/** Throws if the response does not match the API document. */
function assertDocumented(
  { operation: { operationId, responses } }: FuzzedRequest,
  answer: LightMyRequestResponse,
): void {
  const { statusCode, body } = answer;
  const isDescribed =
    statusCode < 400 || body === '' || codesOf(responses[statusCode]).includes(problemOf(answer).code);
  if (statusCode >= 500 || !(String(statusCode) in responses) || !isDescribed)
    throw new Error(`${operationId} returned ${statusCode}: ${body.slice(0, 500)}`);
}

test(`damaged numbers in ${requests} requests cause no server error or undocumented response, nor break a list`, async () => {
  const api = await apiOnSqlite();
  const owner = await api.signIn();
  const ready = await recordTake(api, owner);
  await api.runJobs();
  const running = await startTake(api, owner);
  // These tests' sessions have names instead of ids.
  await api.database.queries.updateTable('upload_capabilities').set({ session_id: null }).execute();
  await api.database.queries.deleteFrom('sessions').execute();
  const { app } = composedServer({
    ...api,
    overrides: {
      throttleLimits,
      hashCost: cheapHash,
      providerCallsPerTenMinutes: many,
      fetch: () => Promise.reject(new TypeError('no provider is reachable in this test')),
    },
  });
  const session = async (): Promise<string> =>
    `sid=${(await startSession(api.database.queries, { userId: owner.id, remember: true, proof: { method: 'password', isSecondFactor: true }, label: '', ip: '192.0.2.1' }, api)).token}`;
  const known = {
    ids: [ready.recordingId, ready.audioId, running.recordingId, running.audioId, randomUUID()],
    tokens: [running.token],
    emails: ['ann@example.org'],
    passwords: ['kettle river umbrella noon'],
    providers: ['google'],
  };
  const arbitraries = new SchemaArbitraries(document, known, { isFitting: true });
  let cookie = await session();
  const accepted = new Set<string>();
  const sent = fc
    .constantFrom(...withValues.filter(({ operationId }) => !endings.has(operationId)))
    .chain((operation) => requestFor(operation, arbitraries))
    .chain(withDamagedNumber);
  await fc.assert(
    fc.asyncProperty(sent, async (request) => {
      const { operationId, path } = request.operation;
      const isBearer = request.who === 'bearer' || path.startsWith('/api/uploads/');
      const answer = await app.inject(wireRequest(request, isBearer ? running.bearer : { cookie }));
      assertDocumented(request, answer);
      if (answer.statusCode === 401 && !isBearer) cookie = await session();
      if (answer.statusCode < 300) accepted.add(operationId);
    }),
    { numRuns: requests },
  );
  cookie = await session();
  for (const { operationId, method, path, parameters } of operations) {
    if (method !== 'GET' || parameters.some(({ in: place }) => place === 'path')) continue;
    const { statusCode, body } = await app.inject({ method, url: path, headers: { cookie } });
    expect(statusCode, `${operationId} ${body.slice(0, 300)}`).toBeLessThan(500);
  }
  // The damage is only useful if the rest of a request is valid.
  expect(accepted.size).toBeGreaterThan(15);
}, 600_000);
