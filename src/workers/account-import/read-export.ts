import { z } from 'zod';
import {
  accountExportFormat,
  exportedAccountSchema,
  type ExportedRecording,
  exportedRecordingSchema,
} from '#contract/account-export.ts';
import type { ExportContents, ExportRejection, RecordingInExport } from './messages.ts';
import { type ExportedWords, readWords, unreadableWords } from './read-words.ts';
import { openEntry, readEntryText } from './zip/open-entry.ts';
import { readDirectory, type ZipDirectoryEntry } from './zip/read-directory.ts';
import { ZipError } from './zip/zip-error.ts';

/** Ten thousand markers and two thousand long notes need less than this. */
const maxDescriptionBytes = 256 * 1024 * 1024;
/** The times of 8 MiB of words need less than this. */
const maxTranscriptBytes = 128 * 1024 * 1024;
const maxManifestBytes = 512 * 1024 * 1024;

const manifestSchema = z.object({
  format: z.literal(accountExportFormat.format),
  version: z.int().min(1),
  files: z.array(z.object({ path: z.string() })),
});
const isIn = /^recordings\/([^/]+)\/recording\.json$/;

/** A file that is not an importable export. */
export class ExportRejected extends Error {
  readonly reason: ExportRejection;

  constructor(reason: ExportRejection, options?: { cause?: unknown }) {
    super(reason, options);
    this.name = 'ExportRejected';
    this.reason = reason;
  }
}

/** The description of a recording, and the contents of its files in the same order. */
export interface OpenedRecording {
  described: ExportedRecording;
  blobs: Blob[];
  /** Reads its transcript when it is needed; null if there is none. */
  readWords: () => Promise<ExportedWords | null>;
}

/** A user who unpacked and repacked the export may have put everything into one folder. */
function baseOf(paths: Iterable<string>): string | null {
  const found = [...paths].filter(
    (path) => /^(?:[^/]+\/)?manifest\.json$/.test(path) && !path.startsWith('__MACOSX/'),
  );
  return found.toSorted((a, b) => a.length - b.length)[0]?.slice(0, -'manifest.json'.length) ?? null;
}

const same = (path: string): string => path.normalize('NFC');

/** An account export, read in place: only the list of its files is in memory. */
export class ExportFile {
  readonly #file: Blob;
  readonly #entries: Map<string, ZipDirectoryEntry>;
  readonly #base: string;
  readonly #listed: readonly string[];

  private constructor(
    file: Blob,
    parts: { entries: Map<string, ZipDirectoryEntry>; base: string; listed: readonly string[] },
  ) {
    this.#file = file;
    this.#entries = parts.entries;
    this.#base = parts.base;
    this.#listed = parts.listed;
  }

  /**
   * Opens an export.
   * @throws ExportRejected with the reason if the file is not an export
   */
  static async open(file: Blob): Promise<ExportFile> {
    try {
      const entries = await readDirectory(file);
      const base = baseOf(entries.keys());
      const manifest = base === null ? undefined : entries.get(`${base}manifest.json`);
      if (base === null || manifest === undefined) throw new ExportRejected('not-export');
      const parsed = manifestSchema.safeParse(
        JSON.parse(await readEntryText(file, manifest, maxManifestBytes)),
      );
      if (!parsed.success) throw new ExportRejected('not-export', { cause: parsed.error });
      if (parsed.data.version > accountExportFormat.version) throw new ExportRejected('newer');
      return new ExportFile(file, { entries, base, listed: parsed.data.files.map(({ path }) => path) });
    } catch (cause) {
      if (cause instanceof ZipError) throw new ExportRejected(cause.reason, { cause });
      throw cause instanceof SyntaxError || cause instanceof TypeError
        ? new ExportRejected('damaged', { cause })
        : cause;
    }
  }

  /** Reads every description. Unreadable ones are listed and left out. */
  async contents(onProgress: (done: number, all: number) => void): Promise<ExportContents> {
    const folders = this.#folders();
    const [recordings, unreadable]: [RecordingInExport[], string[]] = [[], this.#missing(folders)];
    const known = new Set<string>();
    for (const [done, folder] of folders.entries()) {
      onProgress(done, folders.length);
      const found = await this.#found(folder);
      if (found === null || known.has(found.id)) unreadable.push(folder);
      else recordings.push(found);
      if (found !== null) known.add(found.id);
    }
    return { recordings, unreadable, account: await this.#account() };
  }

  /**
   * Opens one recording for reading.
   * @throws ZipError if a part of it is missing or its size is wrong
   */
  async recording(folder: string): Promise<OpenedRecording> {
    const described = await this.#described(folder);
    const blobs = await Promise.all(
      described.files.map((each) => openEntry(this.#file, this.#entry(`recordings/${folder}/${each.path}`))),
    );
    if (blobs.some(({ size }, index) => size !== described.files[index]?.sizeBytes))
      throw new ZipError('damaged', 'a file is not as long as its description says');
    return { described, blobs, readWords: () => this.#words(folder) };
  }

  #entry(path: string): ZipDirectoryEntry {
    const entry = this.#entries.get(`${this.#base}${path}`);
    if (entry === undefined) throw new ZipError('damaged', `${path} is missing`);
    return entry;
  }

  #folders(): string[] {
    return [...this.#entries.keys()].flatMap((path) =>
      path.startsWith(this.#base) ? (isIn.exec(path.slice(this.#base.length))?.[1] ?? []) : [],
    );
  }

  /** Folders in the manifest that the ZIP does not contain. */
  #missing(folders: readonly string[]): string[] {
    const there = new Set(folders.map(same));
    return this.#listed
      .flatMap((path) => isIn.exec(path)?.[1] ?? [])
      .filter((folder) => !there.has(same(folder)));
  }

  async #described(folder: string): Promise<ExportedRecording> {
    const text = await readEntryText(
      this.#file,
      this.#entry(`recordings/${folder}/recording.json`),
      maxDescriptionBytes,
    );
    return exportedRecordingSchema.parse(JSON.parse(text));
  }

  async #words(folder: string): Promise<ExportedWords | null> {
    const entry = this.#entries.get(`${this.#base}recordings/${folder}/transcript.json`);
    if (entry === undefined) return null;
    try {
      return readWords(await readEntryText(this.#file, entry, maxTranscriptBytes));
    } catch (error) {
      if (isUnreadable(error)) return unreadableWords;
      throw error;
    }
  }

  async #found(folder: string): Promise<RecordingInExport | null> {
    try {
      const { id, title, startedAt, durationMs, files } = await this.#described(folder);
      return {
        folder,
        id,
        title,
        startedAtMs: Date.parse(startedAt),
        durationMs,
        sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        files: files.map(({ uploadId, sha256 }) => ({ uploadId, sha256 })),
      };
    } catch (error) {
      if (isUnreadable(error)) return null;
      throw error;
    }
  }

  async #account(): Promise<ExportContents['account']> {
    try {
      return exportedAccountSchema.parse(
        JSON.parse(await readEntryText(this.#file, this.#entry('account.json'), maxDescriptionBytes)),
      );
    } catch (cause) {
      throw isUnreadable(cause) ? new ExportRejected('damaged', { cause }) : cause;
    }
  }
}

/** Whether the content of the file caused the error, not the disk: invalid text, JSON, contract or ZIP. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof ZipError ||
  error instanceof SyntaxError ||
  error instanceof z.ZodError ||
  error instanceof TypeError;
