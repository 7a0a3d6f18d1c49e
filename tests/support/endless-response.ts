import { Readable } from 'node:stream';
import { expect } from 'vitest';

/** Bytes without an end, for a response that only the server ends. */
export const endlessBytes = (): Readable =>
  Readable.from(
    (function* bytes() {
      for (;;) yield Buffer.alloc(65_536);
    })(),
  );

type ByteReader = ReadableStreamDefaultReader<Uint8Array>;

/** Opens a response over a real socket and reads its first bytes. */
export async function startReading(url: string, headers: Record<string, string> = {}): Promise<ByteReader> {
  const reader = (await fetch(url, { headers })).body?.getReader();
  if (!reader) throw new Error('no body');
  await reader.read();
  return reader;
}

/** Reads until the server cuts the response. */
export const expectCut = (reader: ByteReader): Promise<void> =>
  expect(
    (async () => {
      while (!(await reader.read()).done) {
        /* bytes that were already sent */
      }
    })(),
  ).rejects.toThrow('terminated');
