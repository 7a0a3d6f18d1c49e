import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { ObjectMissingError, type ObjectStore } from './object-store.ts';

const partBytes = 5 * 1024 * 1024;

/** The behaviour of every object store. */
export function behavesAsObjectStore(open: () => ObjectStore): void {
  let store: ObjectStore;
  let name: string;

  beforeEach(() => {
    store = open();
    name = `recordings/${randomUUID()}/audio-0000.0-10.x`;
  });

  it('returns any range of an object', async () => {
    await store.put(name, Buffer.from('0123456789'));
    for (const [startByte, endByteExclusive, expected] of [
      [0, 10, '0123456789'],
      [0, 1, '0'],
      [3, 7, '3456'],
      [9, 10, '9'],
    ] as const)
      expect(Buffer.from(await store.get(name, { startByte, endByteExclusive })).toString()).toBe(expected);
  });

  it('says that an object is missing', async () => {
    await expect(store.get(name, { startByte: 0, endByteExclusive: 1 })).rejects.toThrow(ObjectMissingError);
    await store.put(name, Buffer.from('x'));
    await store.delete(name);
    await expect(store.get(name, { startByte: 0, endByteExclusive: 1 })).rejects.toThrow(ObjectMissingError);
  });

  it('says that an object ends before a range', async () => {
    await store.put(name, Buffer.from('0123456789'));
    await expect(store.get(name, { startByte: 10, endByteExclusive: 11 })).rejects.toThrow(
      ObjectMissingError,
    );
  });

  it('deletes what is missing without a complaint', async () => {
    await expect(store.delete(name)).resolves.toBeUndefined();
    await expect(store.deleteParts(name)).resolves.toBeUndefined();
  });

  it('stores an object from parts, and shows it only when it is whole', async () => {
    const parts = [randomBytes(partBytes), randomBytes(partBytes), randomBytes(1000)];
    const seen: boolean[] = [];
    const partsOf = async function* (): AsyncGenerator<Uint8Array> {
      for (const part of parts) {
        yield part;
        seen.push(
          await store.get(name, { startByte: 0, endByteExclusive: 1 }).then(
            () => true,
            () => false,
          ),
        );
      }
    };
    await store.putParts(name, partsOf());
    expect(seen).toEqual([false, false, false]);
    const all = Buffer.concat(parts);
    const read = await store.get(name, { startByte: 0, endByteExclusive: all.length });
    expect(Buffer.from(read).equals(all)).toBe(true);
  });

  it('stores nothing when a part fails, and deletes the parts', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield randomBytes(partBytes);
      throw new Error('the source broke');
    };
    await expect(store.putParts(name, failing())).rejects.toThrow('the source broke');
    await store.deleteParts(name);
    await expect(store.get(name, { startByte: 0, endByteExclusive: 1 })).rejects.toThrow(ObjectMissingError);
  });

  it('answers a ping', async () => {
    await expect(store.ping()).resolves.toBeUndefined();
  });
}
