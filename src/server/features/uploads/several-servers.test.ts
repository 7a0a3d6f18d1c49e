import { expect, test, vi } from 'vitest';
import { append, apiOnSqlite, complete, startTake } from '#tests/support/api-under-test.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { soundBytes } from '#tests/support/sound-bytes.ts';

test('two servers of one store accept each byte once, and the receipt ends it on both', async () => {
  const api = await apiOnSqlite(new MemoryBlobStore({ hasOtherWriters: true }));
  const other = await api.restart();
  const take = await startTake(api, await api.signIn());
  const at = (server: typeof api, offset: number, epoch = 1) =>
    append(server, take, { uploadId: take.peaksId, offset, bytes: Buffer.from('1234'), epoch });
  expect((await at(api, 0)).statusCode).toBe(204);
  const both = await Promise.all([at(api, 4), at(other, 4)]);
  expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 409]);
  expect(both.find(({ statusCode }) => statusCode === 409)?.headers['upload-offset']).toBe('8');
  // A newer writer on one server, then the older one on the other.
  expect((await at(other, 8, 2)).statusCode).toBe(204);
  expect((await at(api, 12, 1)).json()).toMatchObject({ code: 'writer-superseded' });
  const bytes = Buffer.from('123412341234');
  expect((await complete(api, take, { uploadId: take.peaksId, bytes, epoch: 2 })).statusCode).toBe(200);
  expect((await at(other, 12, 2)).json()).toMatchObject({ code: 'already-finished' });
});

test('a server that takes over a long take reads none of its bytes', async () => {
  const blobs = new MemoryBlobStore({ hasOtherWriters: true });
  const api = await apiOnSqlite(blobs);
  const take = await startTake(api, await api.signIn());
  const piece = soundBytes(1_000_000);
  const bytes = Buffer.concat([piece, piece, piece]);
  for (let offset = 0; offset < bytes.length; offset += piece.length)
    expect((await append(api, take, { uploadId: take.audioId, offset, bytes: piece })).statusCode).toBe(204);
  const other = await api.restart();
  const reads = [vi.spyOn(blobs, 'read'), vi.spyOn(blobs, 'stream')];
  const last = Buffer.from('the end');
  const reply = await append(other, take, { uploadId: take.audioId, offset: bytes.length, bytes: last });
  expect(reply.statusCode).toBe(204);
  expect(reads.flatMap(({ mock }) => mock.calls)).toEqual([]);
  const whole = Buffer.concat([bytes, last]);
  expect((await complete(other, take, { uploadId: take.audioId, bytes: whole })).statusCode).toBe(200);
});

test('a server that has written all of a take so far continues its hash, and learns of the end elsewhere', async () => {
  const blobs = new MemoryBlobStore({ hasOtherWriters: true });
  const api = await apiOnSqlite(blobs);
  const other = await api.restart();
  const take = await startTake(api, await api.signIn());
  let laterMs = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  const at = (offset: number) =>
    append(api, take, { uploadId: take.peaksId, offset, bytes: Buffer.from('1234') });
  expect((await at(0)).statusCode).toBe(204);
  const tail = vi.spyOn(blobs, 'tail');
  laterMs += 6000;
  expect((await at(4)).statusCode).toBe(204);
  expect(tail).not.toHaveBeenCalled();
  const bytes = Buffer.from('12341234');
  expect((await complete(other, take, { uploadId: take.peaksId, bytes })).statusCode).toBe(200);
  laterMs += 6000;
  expect((await at(8)).json()).toMatchObject({ code: 'already-finished' });
});

test('gives no receipt if the stored bytes changed while it was made, as when a standby takes over', async () => {
  const blobs = new MemoryBlobStore({ hasOtherWriters: true });
  const api = await apiOnSqlite(blobs);
  const take = await startTake(api, await api.signIn());
  const at = (offset: number) =>
    append(api, take, { uploadId: take.peaksId, offset, bytes: Buffer.from('1234') });
  await at(0);
  await at(4);
  const fence = blobs.fence.bind(blobs);
  vi.spyOn(blobs, 'fence').mockImplementationOnce(async (key, epoch, expected) => {
    await fence(key, epoch, expected);
    const lacking = await blobs.read(key, { startByte: 0, endByteExclusive: 4 });
    await blobs.put(key, lacking);
  });
  const whole = { uploadId: take.peaksId, bytes: Buffer.from('12341234') };
  const rejected = await complete(api, take, whole);
  expect([rejected.statusCode, rejected.headers['upload-offset']]).toEqual([409, '4']);
  expect((await at(4)).statusCode).toBe(204);
  expect((await complete(api, take, whole)).statusCode).toBe(200);
});

test('gives no receipt for an upload that was lost while the receipt was made', async () => {
  const blobs = new MemoryBlobStore({ hasOtherWriters: true });
  const api = await apiOnSqlite(blobs);
  const take = await startTake(api, await api.signIn());
  const bytes = Buffer.from('1234');
  await append(api, take, { uploadId: take.peaksId, offset: 0, bytes });
  const fence = blobs.fence.bind(blobs);
  vi.spyOn(blobs, 'fence').mockImplementationOnce(async (key, epoch, expected) => {
    await fence(key, epoch, expected);
    await api.database.queries.deleteFrom('uploads').where('id', '=', take.peaksId).execute();
  });
  expect((await complete(api, take, { uploadId: take.peaksId, bytes })).json()).toMatchObject({
    code: 'not-found',
  });
});
