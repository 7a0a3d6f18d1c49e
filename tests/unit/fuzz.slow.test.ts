import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { createSmtpMailer } from '#server/mail/mailer.ts';
import {
  apiOnSqlite,
  startTake,
  problemOf,
  type ApiUnderTest,
  type Take,
} from '#tests/support/api-under-test.ts';
import { cheapHash, composedServer } from '#tests/support/composed-server.ts';
import {
  allOperations,
  codesOf,
  document,
  operations,
  requestFor,
  wireRequest,
} from '#tests/support/fuzz/fuzz-requests.ts';
import { SchemaArbitraries } from '#tests/support/fuzz/schema-arbitraries.ts';
import { Senders } from '#tests/support/fuzz/senders.ts';

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 10_000);

/** One OpenID Connect provider and one OAuth provider. */
const providerKinds = ['google', 'github'] as const;
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

/** The complete server without its jobs, with limits that no run reaches. */
function wholeServer({ database, blobs, clock }: ApiUnderTest, hasMail: boolean): FastifyInstance {
  return composedServer({
    database,
    blobs,
    clock,
    // Mail is queued and never sent, because no job runs.
    mailer: hasMail ? createSmtpMailer({ url: 'smtp://127.0.0.1:9', from: 'post@earshot.example' }) : null,
    config: {
      providers: providerKinds.map((kind) => ({
        kind,
        clientId: 'earshot',
        clientSecret: 'a secret of nobody',
      })),
    },
    overrides: {
      throttleLimits,
      hashCost: cheapHash,
      providerCallsPerTenMinutes: many,
      fetch: () => Promise.reject(new TypeError('no provider is reachable in this test')),
    },
  }).app;
}

test('the server has a route for every operation of the API document', async () => {
  const app = wholeServer(await apiOnSqlite(), false);
  await app.ready();
  const missing = allOperations.filter(
    ({ method, path }) => !app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
  );
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

/** Creates the data whose ids, tokens and addresses the fuzzed requests use. */
async function knownWorld(api: ApiUnderTest): Promise<{ take: Take; arbitraries: SchemaArbitraries }> {
  const user = await api.signIn();
  const take = await startTake(api, user);
  const known = {
    ids: [take.recordingId, take.audioId, take.peaksId, user.id],
    tokens: [take.token, randomBytes(32).toString('base64url'), 'x'.repeat(43)],
    emails: ['ann@example.org', 'bob@example.org'],
    passwords: ['kettle river umbrella noon', 'short'],
    providers: [...providerKinds],
  };
  return { take, arbitraries: new SchemaArbitraries(document, known) };
}

test(`${requests} fuzzed requests to all operations cause no server error and no undocumented response`, async () => {
  const api = await apiOnSqlite();
  const { take, arbitraries } = await knownWorld(api);
  const [first, second] = [wholeServer(api, false), wholeServer(api, true)];
  const senders = new Senders(api, 'sid');
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations).chain((operation) => requestFor(operation, arbitraries)),
      fc.boolean(),
      async (sent, hasMail) => {
        const { operationId, responses } = sent.operation;
        const answer = await (hasMail ? second : first).inject(
          wireRequest(sent, await senders.headersOf(sent.who, take.bearer)),
        );
        seen.add(`${operationId} ${answer.statusCode}`);
        // Only a provider outage is a legitimate server error, because no provider is reachable.
        const isOutage = answer.statusCode === 503 && problemOf(answer).code === 'provider-unavailable';
        if (answer.statusCode >= 500 && !isOutage)
          throw new Error(`${operationId} returned ${answer.statusCode}: ${answer.body}`);
        expect(
          Object.keys(responses),
          `${operationId} returned ${answer.statusCode} ${answer.body}`,
        ).toContain(String(answer.statusCode));
        const isDescribed =
          answer.statusCode < 400 ||
          answer.body === '' ||
          codesOf(responses[answer.statusCode]).includes(problemOf(answer).code);
        if (!isDescribed) throw new Error(`${operationId} returned an undocumented code: ${answer.body}`);
      },
    ),
    { numRuns: requests },
  );
  // The fuzzing is only useful if some requests of many kinds are accepted.
  expect([...seen].filter((entry) => / 2\d\d$/.test(entry)).length).toBeGreaterThan(15);
}, 600_000);
