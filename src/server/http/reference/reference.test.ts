import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { api as contract } from '#contract/api.ts';
import { pathOf } from '#contract/route-text.ts';
import { errorStatus } from '#contract/errors.ts';
import { apiOnSqlite, recordTake } from '#tests/support/api-under-test.ts';
import { describeOperations, errorsOf, openApiDocument } from './openapi.ts';
import { referencePage } from './reference-page.ts';
import { SchemaPrinter } from './schemas.ts';

const refsIn = (text: string): string[] =>
  [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? '');

describe('the OpenAPI document', () => {
  const document = openApiDocument({ version: '1.2.3', cookieName: 'sid' });

  test('describes every endpoint of the contract, and every reference in it resolves', () => {
    const text = JSON.stringify(document);
    const printer = new SchemaPrinter();
    expect(
      describeOperations(printer)
        .map(({ operationId }) => operationId)
        .sort(),
    ).toEqual(Object.keys(contract).sort());
    expect(new Set(refsIn(text)).difference(new Set(Object.keys(printer.components)))).toEqual(new Set());
    expect(text).not.toContain('$defs');
    for (const [name, schema] of Object.entries(printer.components))
      expect([name, Object.keys(schema as object)]).not.toEqual([name, ['$ref']]);
  });

  test('lists the problems that the pipeline may respond with', () => {
    const registering = contract['registerRecording'];
    expect(registering && errorsOf(registering)).toEqual(
      expect.arrayContaining([
        'malformed-request',
        'session-required',
        'session-expired',
        'cross-site',
        'principal-changed',
        'too-large',
        'unsupported-media-type',
        'validation',
        'purged',
      ]),
    );
    const purging = contract['purgeRecording'];
    expect(purging && errorsOf(purging), 'an id that names nothing, a key that breaks its rules').toEqual(
      expect.arrayContaining(['not-found', 'validation']),
    );
  });
});

test('S24: documents not-found where something may be missing, and the media types of every byte response', () => {
  const printed = openApiDocument({ version: '1.2.3', cookieName: 'sid' }) as {
    paths: Record<
      string,
      Record<
        string,
        {
          operationId: string;
          responses: Record<string, { description: string; content?: Record<string, unknown> }>;
        }
      >
    >;
  };
  const operations = new Map(
    Object.values(printed.paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation.responses]),
  );
  for (const name of ['getZip', 'testProvider', 'signInWithProvider'])
    expect([name, operations.get(name)?.['404']?.description]).toEqual([
      name,
      expect.stringMatching(/\bnot-found\b/),
    ]);
  const types = (name: string) => Object.keys(operations.get(name)?.['200']?.content ?? {});
  expect(
    Object.fromEntries(
      ['getAudio', 'getOriginal', 'downloadRecording', 'getPeaks', 'getZip', 'downloadAccountExport'].map(
        (name) => [name, types(name)],
      ),
    ),
  ).toEqual({
    getAudio: ['audio/*'],
    getOriginal: ['audio/*', 'application/octet-stream'],
    downloadRecording: ['audio/*', 'application/octet-stream'],
    getPeaks: ['application/octet-stream'],
    getZip: ['application/zip'],
    downloadAccountExport: ['application/zip'],
  });
});

test('the reference page has every endpoint and no script', () => {
  const printer = new SchemaPrinter();
  const operations = describeOperations(printer);
  const page = referencePage({ operations, schemas: printer.components, nonce: 'n' });
  for (const { operationId } of operations) expect(page).toContain(`id="${operationId}"`);
  expect(page).not.toMatch(/<script|https?:\/\//);
});

test('no input to any endpoint causes a server error, and every response is documented', async () => {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const take = await recordTake(api, user);
  const endpoints = Object.values(contract).filter(
    ({ path, replyKind }) =>
      !path.startsWith('/auth') &&
      !path.startsWith('/api/admin') &&
      path !== '/api/profile' &&
      replyKind !== 'event-stream',
  );
  const id = fc.oneof(
    fc.constantFrom(take.recordingId, take.audioId, take.peaksId),
    fc.uuid(),
    fc.constantFrom('x', '%00', '-1', '..%2f'),
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '\0', '\ud800', '%', '_', '\\', '2026-11-21T09:00:00.000Z', 'audio', 'ogg'),
  );
  const value = fc.oneof(
    id,
    text,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const fields = [
    'title',
    'language',
    'startedAt',
    'timeZone',
    'format',
    'source',
    'deviceLabel',
    'durationMs',
    'segmentCount',
    'gaps',
    'pauses',
    'id',
    'atMs',
    'label',
    'colour',
    'recordingId',
    'stream',
    'segmentIndex',
    'startMs',
    'epoch',
    'lengthBytes',
    'sha256',
    '__proto__',
  ];
  const body = fc.oneof(
    fc.dictionary(fc.constantFrom(...fields), value).map((object) => JSON.stringify(object)),
    fc.json(),
    fc.string(),
  );
  const header = fc.string({
    unit: fc.constantFrom('0', '1', '9', 'bytes', '=', '-', ',', ' ', '"', '*', 'x'),
  });
  const query = fc.dictionary(
    fc.constantFrom('cursor', 'limit', 'search', 'trashed', 'points', 'download', 'other'),
    text.filter((part) => part.isWellFormed()),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        endpoint: fc.constantFrom(...endpoints),
        ids: fc.tuple(id, id),
        body,
        query,
        header,
        byCookie: fc.boolean(),
        type: fc.constantFrom('application/json', 'application/partial-upload', 'text/plain'),
      }),
      async ({ endpoint, ids, body: payload, query: asked, header: odd, byCookie, type }) => {
        const params = Object.fromEntries(
          [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name], index) => [name ?? '', ids[index] ?? '']),
        );
        const answer = await api.as(byCookie ? user : null, {
          method: endpoint.method,
          url: pathOf(endpoint, params),
          query: asked,
          headers: {
            range: odd,
            'if-range': odd,
            'upload-offset': odd,
            'upload-epoch': '1',
            'content-digest': odd,
            ...(byCookie ? {} : take.bearer),
            'content-type': type,
          },
          ...(endpoint.method === 'GET' || endpoint.method === 'HEAD' ? {} : { payload }),
        });
        const documented = [...endpoint.statuses, ...errorsOf(endpoint).map((code) => errorStatus[code])];
        expect(answer.statusCode).toBeLessThan(500);
        expect(documented.concat(endpoint.method === 'HEAD' ? [400, 409] : [])).toContain(answer.statusCode);
      },
    ),
    { numRuns: 600 },
  );
});
