import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { beginSession } from '#server/features/accounts/sessions/sessions-store.ts';
import { openApiDocument } from '#server/http/reference/openapi.ts';
import { createSmtpMailer } from '#server/mail/mailer.ts';
import type { Database } from '#server/storage/database/database.ts';
import { apiOnSqlite, beginTake, problemOf, type ApiUnderTest, type Take } from '../support/api-under-test.ts';
import { cheapHash, composedServer } from '../support/composed-server.ts';
import { storeUser } from '../support/factories.ts';
import { SchemaArbitraries } from './fuzz-arbitraries.ts';

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 10_000);
/** A person whose session a request has ended is replaced after so many. */
const requestsPerPerson = 40;

const httpMethod = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const parameterSchema = z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema: z.unknown() });
const problemCodesSchema = z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) });
/** What one status of a call looks like; that of a problem lists its codes. */
const responseSchema = z.object({ content: z.object({ 'application/problem+json': z.object({ schema: z.object({ allOf: z.tuple([z.unknown(), problemCodesSchema]) }) }) }).partial().optional() });
const codesOf = (response: z.output<typeof responseSchema> | undefined): string[] => response?.content?.['application/problem+json']?.schema.allOf[1].properties.code.enum ?? [];
const operationSchema = z.object({
  operationId: z.string(), parameters: z.array(parameterSchema),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }).optional(), responses: z.record(z.string(), responseSchema),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

const document = openApiDocument({ version: '1.0.0', cookieName: 'sid' });
const allOperations = Object.entries(documentSchema.parse(document).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: httpMethod.parse(method.toUpperCase()), ...operation })));
/** An event stream has no end to wait for. */
const operations = allOperations.filter(({ operationId }) => operationId !== 'getEvents');

/** One provider by OpenID Connect, one by OAuth alone. */
const providerKinds = ['google', 'github'] as const;
const many = 1_000_000;
const throttleLimits = {
  signUpTriesPerHour: many, signUpsPerHour: many, signUpsPerAddressPerHour: many, mailsPerHour: many, mailsPerAddressPerHour: many, proofsPerTenMinutes: many,
  secondFactorsPerAccountPerHour: many, loginFailuresPerDay: many, loginFailuresPerTenMinutes: many, freeLoginFailures: many,
};

/** The whole server but its jobs, with limits that no run reaches. */
function wholeServer({ database, blobs, clock }: ApiUnderTest, hasMail: boolean): FastifyInstance {
  return composedServer({
    database, blobs, clock,
    // Mail is put aside and never sent: no job runs here.
    mailer: hasMail ? createSmtpMailer({ url: 'smtp://127.0.0.1:9', from: 'post@earshot.example' }) : null,
    config: { providers: providerKinds.map((kind) => ({ kind, clientId: 'earshot', clientSecret: 'a secret of nobody' })) },
    overrides: { throttleLimits, hashCost: cheapHash, providerCallsPerTenMinutes: many, fetch: () => Promise.reject(new TypeError('this network reaches no provider')) },
  }).app;
}

test('the server has a route for every call of the document', async () => {
  const app = wholeServer(await apiOnSqlite(), false);
  await app.ready();
  const missing = allOperations.filter(({ method, path }) => !app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }));
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

async function newSession(database: Database, clock: ApiUnderTest['clock'], role: 'member' | 'admin'): Promise<{ token: string; userId: string }> {
  const { id: userId } = await storeUser(database.queries, { role });
  const { token } = await beginSession(database.queries, { userId, remember: true, proof: { method: 'password', isSecondFactor: true }, label: '', ip: '192.0.2.1' }, { clock });
  return { token, userId };
}

/** What people and programs send that may be known to the server. */
async function knownWorld(api: ApiUnderTest): Promise<{ take: Take; arbitraries: SchemaArbitraries }> {
  const person = await api.signIn();
  const take = await beginTake(api, person);
  const known = { ids: [take.recordingId, take.audioId, take.peaksId, person.id], tokens: [take.token, randomBytes(32).toString('base64url'), 'x'.repeat(43)], emails: ['ann@example.org', 'bob@example.org'], passwords: ['kettle river umbrella noon', 'short'], providers: [...providerKinds] };
  return { take, arbitraries: new SchemaArbitraries(document, known) };
}

type Operation = (typeof operations)[number];

function requestFor(operation: Operation, arbitraries: SchemaArbitraries) {
  const part = (place: 'path' | 'query' | 'header') => fc.record(Object.fromEntries(
    operation.parameters.filter((parameter) => parameter.in === place).map(({ name, schema }) => [name, arbitraries.of(schema, name).map(textOf)])), place === 'path' ? {} : { requiredKeys: [] });
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [undefined, undefined];
  const json = arbitraries.of(content?.schema).map(jsonOf);
  const body = mediaType === undefined ? fc.option(fc.constant('{}'), { freq: 10 }) : mediaType === 'application/json' ? fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: fc.string() }) : fc.string();
  return fc.record({
    operation: fc.constant(operation), path: part('path'), query: part('query'), header: part('header'), body, mediaType: fc.constant(mediaType ?? 'application/json'),
    who: fc.constantFrom('nobody' as const, 'member' as const, 'member' as const, 'admin' as const, 'bearer' as const, 'stranger' as const), key: fc.option(fc.constantFrom('k', 'l', 'no good key'), { freq: 6 }),
  });
}

const jsonOf = (value: unknown): string => String(JSON.stringify(value));
const textOf = (value: unknown): string => (typeof value === 'string' ? value : jsonOf(value));
const headerSafe = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');

type Sent = Awaited<ReturnType<typeof requestFor>> extends fc.Arbitrary<infer Value> ? Value : never;

/** People who send, each replaced now and then: a request may have ended their session, or their account. */
class Senders {
  readonly #api: ApiUnderTest;
  readonly #tokens = new Map<string, string>();
  #count = 0;

  constructor(api: ApiUnderTest) {
    this.#api = api;
  }

  /** The headers by which a sender is known. */
  async headersOf(who: Sent['who'], bearer: Record<string, string>): Promise<Record<string, string>> {
    this.#count += 1;
    if (this.#count % requestsPerPerson === 0) this.#tokens.clear();
    if (who === 'nobody') return {};
    if (who === 'bearer') return bearer;
    if (who === 'stranger') return { cookie: 'sid=nobody-knows' };
    const token = this.#tokens.get(who) ?? (await newSession(this.#api.database, this.#api.clock, who)).token;
    this.#tokens.set(who, token);
    return { cookie: `sid=${token}` };
  }
}

const hasPayload = ({ operation, body }: Sent): boolean => body !== null && operation.method !== 'GET' && operation.method !== 'HEAD';

/** A part of a path that stays one: nothing at all, `.` and `..` lead to another address (URL, "path state"). */
const segmentOf = (text: string): string => (/^\.{0,2}$/.test(text) ? 'x' : encodeURIComponent(text.toWellFormed()));

/** A request as it goes over the wire. */
function injectable(sent: Sent, sender: Record<string, string>): InjectOptions {
  const { operation, path, query, header, body, mediaType, key } = sent;
  return {
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(String(path[name]))),
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value).toWellFormed()])),
    headers: {
      ...Object.fromEntries(Object.entries(header).map(([name, value]) => [name, headerSafe(String(value))])), ...sender,
      'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot', ...(key === null ? {} : { 'idempotency-key': key }), ...(body === null ? {} : { 'content-type': mediaType }),
    },
    ...(hasPayload(sent) ? { payload: body ?? '' } : {}),
  };
}

test(`whatever is sent to any call of the document, ${requests} times: no server error, and nothing that is not documented`, async () => {
  const api = await apiOnSqlite();
  const { take, arbitraries } = await knownWorld(api);
  const [first, second] = [wholeServer(api, false), wholeServer(api, true)];
  const senders = new Senders(api);
  const seen = new Set<string>();
  await fc.assert(fc.asyncProperty(fc.constantFrom(...operations).chain((operation) => requestFor(operation, arbitraries)), fc.boolean(), async (sent, hasMail) => {
    const { operationId, responses } = sent.operation;
    const answer = await (hasMail ? second : first).inject(injectable(sent, await senders.headersOf(sent.who, take.bearer)));
    seen.add(`${operationId} ${answer.statusCode}`);
    if (answer.statusCode >= 500) throw new Error(`${operationId} answered ${answer.statusCode}: ${answer.body}`);
    expect(Object.keys(responses), `${operationId} answered ${answer.statusCode} ${answer.body}`).toContain(String(answer.statusCode));
    const isDescribed = answer.statusCode < 400 || answer.body === '' || codesOf(responses[answer.statusCode]).includes(problemOf(answer).code);
    if (!isDescribed) throw new Error(`${operationId} answered with an undocumented code: ${answer.body}`);
  }), { numRuns: requests });
  // The fuzz is worth something only where it gets past the door: some of everything is let in.
  expect([...seen].filter((entry) => / 2\d\d$/.test(entry)).length).toBeGreaterThan(15);
}, 600_000);
