import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { mayStoreShared } from './imports-database.ts';

const file = (sizeBytes: number) => ({ id: 'a', file: { size: sizeBytes } as File });
const files = (count: number) => Array.from({ length: count }, () => file(1));

test('limits shared files in number and in bytes, including those that already wait', () => {
  const { files: maxFiles, sizeBytes } = limits.shared;
  expect(mayStoreShared(files(maxFiles), [])).toBe(true);
  expect(mayStoreShared(files(maxFiles + 1), [])).toBe(false);
  expect(mayStoreShared(files(1), files(maxFiles))).toBe(false);
  expect(mayStoreShared([file(sizeBytes)], [])).toBe(true);
  expect(mayStoreShared([file(sizeBytes)], [file(1)])).toBe(false);
});
