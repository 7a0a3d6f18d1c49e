import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLetters } from '#server/transcribers/words/byte-tokens.ts';
import type { EngineTask } from './messages.ts';

/** Tokens of Whisper have 0.8 MB. */
const maxTokensBytes = 8 * 1024 * 1024;

/**
 * Writes a model's tokens with letters for bytes to a temporary file. Null if they have no bytes, or the file can't be
 * written: the engine then drops some characters.
 */
export async function writeLetters({ kind, files }: NonNullable<EngineTask['model']>): Promise<{
  /** What to load instead of the model. */
  task(task: Omit<EngineTask, 'hasLetters'>): EngineTask;
  /** Removes the file, which is needed only while the engine loads. */
  remove(): Promise<void>;
} | null> {
  if (kind !== 'whisper') return null;
  let directory: string | null = null;
  const remove = async (): Promise<void> => {
    if (directory !== null) await rm(directory, { recursive: true, force: true });
  };
  try {
    if ((await stat(files.tokens)).size > maxTokensBytes) return null;
    const letters = withLetters(await readFile(files.tokens, 'utf8'));
    if (letters === null) return null;
    directory = await mkdtemp(join(tmpdir(), 'earshot-tokens-'));
    const tokens = join(directory, 'tokens.txt');
    await writeFile(tokens, letters);
    const model = { kind, files: { ...files, tokens } };
    return { task: (task) => ({ ...task, model, hasLetters: true }), remove };
  } catch {
    await remove().catch(() => undefined);
    return null;
  }
}
