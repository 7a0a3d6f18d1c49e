import assert from 'node:assert/strict';
import fc from 'fast-check';
import { append, complete, openUpload, problemOf, type ApiUnderTest, type Take } from './api-under-test.ts';

/**
 * The minimal model of an upload: bytes that only grow, the epoch of the newest writer, and whether it is sealed.
 */
export interface Model {
  bytes: Buffer;
  epoch: number;
  isSealed: boolean;
}

/** The take whose upload is written, and the server that gets the next request, of all that share its data. */
export interface Real {
  api: ApiUnderTest;
  servers: readonly ApiUnderTest[];
  take: Take;
}

type Command = fc.AsyncCommand<Model, Real>;

const command = (text: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run,
  toString: () => text,
});

/** The offset and epoch relative to the right ones. Most writers are right; some are late, early or superseded. */
const place = fc.record({
  offsetBy: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -40, max: 40 }) },
  ),
  epochBy: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -2, max: 2 }) },
  ),
});

const isOlder = (model: Model, epoch: number): boolean => epoch < model.epoch;

/** The expected result of an append. The rules are in the order in which the server checks them. */
function expected(model: Model, given: { offset: number; epoch: number; isDamaged: boolean }): string {
  if (isOlder(model, given.epoch)) return 'writer-superseded';
  if (model.isSealed) return 'already-finished';
  if (given.offset !== model.bytes.length) return 'offset-mismatch';
  return given.isDamaged ? 'checksum-mismatch' : 'stored';
}

const appends = fc
  .tuple(place, fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.boolean())
  .map(([{ offsetBy, epochBy }, bytes, isOftenDamaged]) =>
    command(
      `append ${bytes.length} bytes, offset ${offsetBy}, epoch ${epochBy}`,
      async (model, { api, take }) => {
        const [offset, epoch] = [
          Math.max(0, model.bytes.length + offsetBy),
          Math.max(1, model.epoch + epochBy),
        ];
        const isDamaged = isOftenDamaged && bytes[0] === 0;
        const headers = isDamaged ? { headers: { 'content-digest': `sha-256=:${'A'.repeat(43)}=:` } } : {};
        const reply = await append(api, take, { uploadId: take.peaksId, offset, epoch, bytes, ...headers });
        const outcome = expected(model, { offset, epoch, isDamaged });
        assert.equal(reply.statusCode === 204 ? 'stored' : problemOf(reply).code, outcome);
        // A writer with a larger epoch becomes the current one, even if its append is rejected.
        if (outcome !== 'writer-superseded') model.epoch = Math.max(model.epoch, epoch);
        if (outcome === 'stored') model.bytes = Buffer.concat([model.bytes, bytes]);
        if (outcome === 'stored' || outcome === 'offset-mismatch')
          assert.equal(reply.headers['upload-offset'], String(model.bytes.length));
      },
    ),
  );

const claims = fc.integer({ min: -2, max: 2 }).map((epochBy) =>
  command(`open again, epoch ${epochBy}`, async (model, { api, take }) => {
    const epoch = Math.max(1, model.epoch + epochBy);
    const reply = await openUpload(api, take, { uploadId: take.peaksId, stream: 'peaks', epoch });
    if (!model.isSealed && isOlder(model, epoch)) {
      assert.equal(problemOf(reply).code, 'writer-superseded');
      return;
    }
    assert.deepEqual([reply.statusCode, reply.headers['upload-offset']], [200, String(model.bytes.length)]);
    if (!model.isSealed) model.epoch = Math.max(model.epoch, epoch);
  }),
);

const seals = fc.boolean().map((isRight) =>
  command(`seal, ${isRight ? 'all of it' : 'another length'}`, async (model, { api, take }) => {
    const bytes = isRight ? model.bytes : Buffer.concat([model.bytes, Buffer.of(1)]);
    const reply = await complete(api, take, { uploadId: take.peaksId, bytes, epoch: model.epoch });
    assert.equal(reply.statusCode, isRight ? 200 : 409);
    if (isRight) model.isSealed = true;
  }),
);

/** The server's state of the upload. */
export const look = ({ api, take }: Real) =>
  api.app.inject({ method: 'HEAD', url: `/api/uploads/${take.peaksId}`, headers: take.bearer });

const restarts = fc.constant(
  command('restart the server', async (model, real) => {
    real.api = await real.api.restart();
    // A tail that is not a whole point may be torn, unless a note describes it; the device sends it again.
    const wholeBytes = model.bytes.length - (model.bytes.length % 2);
    const offset = Number((await look(real)).headers['upload-offset']);
    assert.ok([wholeBytes, model.bytes.length].includes(offset), `${offset} of ${model.bytes.length} bytes`);
    model.bytes = model.bytes.subarray(0, offset);
  }),
);

const looks = fc.constant(
  command('look', async (model, real) => {
    const reply = await look(real);
    assert.deepEqual(
      [reply.headers['upload-offset'], reply.headers['upload-complete']],
      [String(model.bytes.length), model.isSealed ? '?1' : '?0'],
    );
  }),
);

/** The next requests go to another server, as through a proxy without sticky sessions. */
const switches = fc.nat().map((index) =>
  command(`go to server ${index}`, async (_, real) => {
    real.api = real.servers[index % real.servers.length] ?? real.api;
  }),
);

/** Up to sixty appends, claims, seals and reads on any of several servers. */
export const historiesOnServers = fc.commands([appends, appends, switches, switches, claims, seals, looks], {
  maxCommands: 60,
});

/** Up to forty appends, claims, seals, restarts and reads. */
export const histories = fc.commands([appends, appends, appends, claims, seals, restarts, looks], {
  maxCommands: 40,
});
