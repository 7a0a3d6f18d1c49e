import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip, createGzip } from 'node:zlib';
import type { BackupSource } from '#server/storage/backups/backup-target.ts';

const quick = { level: 4 };
/** Lines are gathered before they are compressed. */
const pieceChars = 64 * 1024;
/** A longer line is no row of ours: the longest text of a row has some megabytes. */
const maxLineChars = 128 * 1024 * 1024;

async function* gathered(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < pieceChars) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Compresses lines. */
export function compressed(lines: AsyncIterable<string>): BackupSource {
  const zipped = createGzip(quick);
  // An error of the source is thrown to the reader of the result.
  pipeline(Readable.from(gathered(lines)), zipped, () => undefined);
  return zipped;
}

/** The file does not consist of whole lines. */
export class LinesError extends Error {
  override readonly name = 'LinesError';
}

/**
 * The lines of a compressed file.
 * @throws LinesError, or an error of zlib, when it is damaged
 */
export async function* unzippedLines(file: Readable): AsyncGenerator<string> {
  const plain = createGunzip();
  pipeline(file, plain, () => undefined);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const bytes of plain as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.write(bytes)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineChars) throw new LinesError('a line is too long');
    yield* lines;
  }
  if (rest !== '') throw new LinesError('the file ends within a line');
}

/** The length and hash of what a stream has. */
export async function sumOfStream(source: BackupSource): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const bytes of source) {
    hash.update(bytes);
    sizeBytes += bytes.byteLength;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
