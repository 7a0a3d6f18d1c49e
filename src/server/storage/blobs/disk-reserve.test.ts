import { expect, test } from 'vitest';
import { second } from '#base/duration.ts';
import { isNoSpaceError } from '#base/errors/no-space.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { BlobSpaceError } from './blob-store.ts';
import {
  createDiskReserve,
  defaultReserveBytes,
  outsideReserve,
  type ReserveStatus,
} from './disk-reserve.ts';

const gibibyte = 1024 ** 3;
const totalBytes = 100 * gibibyte;

/** A reserve over a disk whose free space the test sets. */
function reserveOf({ freeBytes, reserveBytes = 1000 }: { freeBytes: number; reserveBytes?: number | null }) {
  const clock = fakeClock();
  const crossed: ReserveStatus[] = [];
  const disk = { freeBytes, measured: 0, isBroken: false };
  const space = async () => {
    disk.measured += 1;
    if (disk.isBroken) throw new Error('the file system does not report its free space');
    return { freeBytes: disk.freeBytes, totalBytes };
  };
  return {
    clock,
    crossed,
    disk,
    reserve: createDiskReserve({
      blobs: { space },
      clock,
      reserveBytes,
      onCrossed: (status) => {
        crossed.push(status);
      },
    }),
  };
}

const isRejected = (write: Promise<void>): Promise<boolean> =>
  write.then(
    () => false,
    (error: unknown) => isNoSpaceError(error),
  );

test('reserves a gibibyte by default, or a twentieth of a smaller disk', () => {
  expect([10, 20, 1000].map((gibibytes) => defaultReserveBytes(gibibytes * gibibyte))).toEqual([
    gibibyte / 2,
    gibibyte,
    gibibyte,
  ]);
});

test('rejects a write while less than the reserve is free', async () => {
  const { reserve, disk, clock } = reserveOf({ freeBytes: 1000 });
  expect(await isRejected(reserve.admit(10))).toBe(false);
  disk.freeBytes = 999;
  clock.advance(second);
  expect([await isRejected(reserve.admit(1)), await reserve.status()]).toEqual([
    true,
    { freeBytes: 999, reserveBytes: 1000, isTouched: true },
  ]);
});

test('rejects an announced size that would leave less than the reserve', async () => {
  const { reserve } = reserveOf({ freeBytes: 1500 });
  expect([await isRejected(reserve.check(500)), await isRejected(reserve.check(501))]).toEqual([false, true]);
});

test('measures the disk once a second and counts writes admitted in between', async () => {
  const { reserve, disk, clock } = reserveOf({ freeBytes: 1500 });
  expect(await Promise.all([300, 300, 300].map((sizeBytes) => isRejected(reserve.admit(sizeBytes))))).toEqual(
    [false, false, true],
  );
  expect(disk.measured).toBe(1);
  clock.advance(second);
  expect([await isRejected(reserve.admit(300)), disk.measured]).toEqual([false, 2]);
});

test('tells simultaneous writes of takes when the reserve is no longer free', async () => {
  const { reserve } = reserveOf({ freeBytes: 1500 });
  const [first, second] = await Promise.all([reserve.measured(), reserve.measured()]);
  expect(first.isFree()).toBe(true);
  first.count(501);
  expect([second.isFree(), await isRejected(reserve.admit(1))]).toEqual([false, true]);
});

test('reports each crossing once', async () => {
  const { reserve, crossed, disk, clock } = reserveOf({ freeBytes: 2000 });
  for (const freeBytes of [2000, 900, 800, 1000, 2000, 10]) {
    disk.freeBytes = freeBytes;
    clock.advance(second);
    await reserve.measured();
  }
  expect(crossed.map(({ freeBytes, isTouched }) => [freeBytes, isTouched])).toEqual([
    [900, true],
    [1000, false],
    [10, true],
  ]);
});

test('admits every write if the disk cannot be measured', async () => {
  const { reserve, disk } = reserveOf({ freeBytes: 0, reserveBytes: null });
  disk.isBroken = true;
  expect([await isRejected(reserve.admit(10)), await reserve.status()]).toEqual([
    false,
    { freeBytes: null, reserveBytes: 0, isTouched: false },
  ]);
});

test('allows reads and deletions, but no writes, outside the reserve while it is touched', async () => {
  const { reserve, disk, clock } = reserveOf({ freeBytes: 2000 });
  const blobs = outsideReserve(new MemoryBlobStore(), reserve);
  await blobs.put('a', Buffer.from('abc'));
  disk.freeBytes = 0;
  clock.advance(second);
  for (const write of [
    () => blobs.create('b'),
    () => blobs.put('b', Buffer.from('x')),
    () => blobs.append('a', { offsetBytes: 3, bytes: Buffer.from('x') }),
  ]) {
    await expect(write()).rejects.toBeInstanceOf(BlobSpaceError);
  }
  expect(Buffer.from(await blobs.read('a', { startByte: 0, endByteExclusive: 9 })).toString()).toBe('abc');
  await blobs.remove('a');
  expect(await blobs.head('a')).toBeNull();
});
