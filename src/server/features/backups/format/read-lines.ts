import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZodError } from 'zod';
import { codeOf } from '#base/errors/code-of.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import { BackupError } from './backup-error.ts';
import { LinesError, unzippedLines } from './lines.ts';
import type { FileSum } from './values.ts';

export type FileProblem = { key: string; problem: 'missing' | 'damaged' };

/** Names a file of a place of backups, and what is wrong with it. */
export const problemText = ({ name }: BackupTarget, { key, problem }: FileProblem): string =>
  problem === 'missing' ? `${name}/${key} is missing` : `${name}/${key} is damaged`;

/** Whether an error was caused by what the file contains, and not by reading it. */
const isOfContent = (error: unknown): boolean =>
  error instanceof LinesError ||
  error instanceof SyntaxError ||
  error instanceof ZodError ||
  codeOf(error).startsWith('Z_') ||
  codeOf(error) === 'ERR_STRING_TOO_LONG';

/** The lines of a file whose bytes are compared with its hash in the end. */
async function* comparedLines(source: Readable, { sha256 }: FileSum): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let isSame = false;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of source as AsyncIterable<Uint8Array>) {
      hash.update(piece);
      yield piece;
    }
    isSame = hash.digest('hex') === sha256;
  }
  yield* unzippedLines(Readable.from(bytes()));
  // Also if the compressed bytes end before the file does.
  if (!isSame) throw new LinesError('the file has another hash');
}

/**
 * Reads the lines of a compressed file of a snapshot.
 * @param options.file what the manifest says of it. It is compared in the end: what was read until then may be forged.
 * @throws BackupError when the file is missing, has other bytes, or a line cannot be parsed
 */
export async function* readLines<T>(
  target: BackupTarget,
  key: string,
  { file, parse }: { file: FileSum; parse: (line: string) => T },
): AsyncGenerator<T> {
  const fails = (problem: FileProblem['problem'], cause?: unknown): BackupError =>
    new BackupError(`${problemText(target, { key, problem })}: choose another backup with --snapshot.`, {
      cause,
    });
  const sizeBytes = await target.sizeOf(key);
  if (sizeBytes !== file.sizeBytes) throw fails(sizeBytes === null ? 'missing' : 'damaged');
  try {
    for await (const line of comparedLines(target.read(key), file)) yield parse(line);
  } catch (error) {
    throw isOfContent(error) ? fails('damaged', error) : error;
  }
}
