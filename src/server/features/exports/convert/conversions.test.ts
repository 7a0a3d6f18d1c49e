import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Conversions } from './conversions.ts';

const never = new AbortController().signal;
const megabyte = 1024 ** 2;

/** A conversion of so many megabytes. `opened` counts its starts and ends. */
function conversion(sizeMegabytes: number) {
  const opened = { starts: 0, ends: 0 };
  return {
    opened,
    start: async (): Promise<Readable> => {
      opened.starts += 1;
      const pieces = Array.from({ length: sizeMegabytes * 4 }, () => Buffer.alloc(megabyte / 4));
      return Readable.from(pieces).once('close', () => {
        opened.ends += 1;
      });
    },
  };
}

const of = (owner: string, client = owner) => ({ owner, client });

test('a conversion that is not read lets others convert, and is complete when it is read', async () => {
  const conversions = new Conversions({ encoding: 1, open: 2, openOfOwner: 1 });
  const unread = await conversions.open(of('ann'), never, conversion(8).start);
  unread.read(0);
  for (let count = 0; count < 3; count += 1) {
    const read = await conversions.open(of('bob'), never, conversion(8).start);
    expect(await buffer(read)).toHaveLength(8 * megabyte);
  }
  expect(await buffer(unread)).toHaveLength(8 * megabyte);
});

test('a client has one conversion at a time, an owner as many as allowed, and all of them as many as allowed', async () => {
  const conversions = new Conversions({ encoding: 1, open: 3, openOfOwner: 2 });
  const clients = ['ann 1', 'ann 1', 'ann 2', 'ann 3', 'bob 1', 'cy 1'];
  const started: Readable[] = [];
  const open = clients.map(async (client) => {
    const [owner = ''] = client.split(' ');
    const stream = await conversions.open(of(owner, client), never, conversion(1).start);
    started.push(stream);
    return { client, stream };
  });
  await expect.poll(() => started.length).toBe(3);
  const first = await Promise.all([open[0], open[2], open[4]]);
  expect(first.map((one) => one?.client)).toEqual(['ann 1', 'ann 2', 'bob 1']);
  expect([of('ann'), of('bob')].map((one) => conversions.isAwaited(one))).toEqual([true, true]);
  for (let index = 0; index < clients.length; index += 1) {
    await expect.poll(() => started.length).toBeGreaterThan(index);
    started[index]?.destroy();
  }
  await Promise.all(open);
  expect([of('ann'), of('bob')].map((one) => conversions.isAwaited(one))).toEqual([false, false]);
});

test('nobody is said to wait for a conversion of one owner while another one fills its own places', async () => {
  const conversions = new Conversions({ encoding: 1, open: 3, openOfOwner: 1 });
  await conversions.open(of('ann'), never, conversion(1).start);
  await conversions.open(of('bob', 'bob 1'), never, conversion(1).start);
  void conversions.open(of('bob', 'bob 2'), never, conversion(1).start);
  await expect.poll(() => conversions.isAwaited(of('bob'))).toBe(true);
  expect(conversions.isAwaited(of('ann'))).toBe(false);
});

test('a conversion that fails or whose reader leaves frees its place and its process', async () => {
  const conversions = new Conversions({ encoding: 1, open: 1, openOfOwner: 1 });
  const failing = () => Promise.reject(new Error('no sound'));
  await expect(conversions.open(of('ann'), never, failing)).rejects.toThrow('no sound');
  for (const isRead of [false, true]) {
    const { opened, start } = conversion(4);
    const left = await conversions.open(of('bob'), never, start);
    if (isRead) left.read(1);
    left.destroy();
    await expect.poll(() => opened).toEqual({ starts: 1, ends: 1 });
  }
  const leaving = new AbortController();
  const running = await conversions.open(of('ann'), never, conversion(1).start);
  const waiting = conversions.open(of('cy'), leaving.signal, conversion(1).start);
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  running.destroy();
  expect(await buffer(await conversions.open(of('cy'), never, conversion(1).start))).toHaveLength(megabyte);
});
