import { createHash } from 'node:crypto';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { dateOf } from '#base/instant.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { timeOfRow } from '#server/storage/rows/stored-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import type {
  RecordingSource,
  RecordingSources,
} from '#server/features/recordings/media/recording-sources.ts';
import {
  describeRecording,
  jsonText,
  markersVtt,
  notesVtt,
} from '#server/features/exports/contents/describe-recording.ts';
import { folderNameOf, UniqueNames } from '#server/features/exports/contents/safe-names.ts';
import { notedOf } from '#server/features/exports/contents/exports-store.ts';
import { transcriptJson } from '#server/features/exports/contents/transcript-json.ts';

export interface StreamZipDeps {
  database: Database;
  sources: RecordingSources;
  /** Whether all of a recording's sound is still in the store. */
  isWhole: (recordingId: string) => Promise<boolean>;
}
export interface ZipOptions {
  principal: Principal;
  ids: readonly string[];
  nowMs: number;
}

interface WrittenFile {
  path: string;
  sizeBytes: number;
  sha256: string;
}

/** Opens the bytes when reading starts. Closing is up to the reader. */
type OpenBytes = () => AsyncIterable<Uint8Array>;

/** Passes bytes through and records their number and hash. */
async function* noted(path: string, open: OpenBytes, written: WrittenFile[]): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of open()) {
    hash.update(piece);
    sizeBytes += piece.length;
    yield piece;
  }
  written.push({ path, sizeBytes, sha256: hash.digest('hex') });
}

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

/** Adds files to a ZIP one after another, so memory does not grow with the number of recordings. */
class ZipFiller {
  readonly #zip: ZipFile;
  readonly #written: WrittenFile[] = [];
  #reading: Readable | null = null;
  #isStopped = false;

  constructor(zip: ZipFile) {
    this.#zip = zip;
  }

  /** Adds one file without compression, because audio does not get smaller. Resolves when its last byte was read. */
  async add(path: string, open: OpenBytes, mtime: Date): Promise<void> {
    if (this.#isStopped) throw new Error('the reader has closed the ZIP file');
    const reading = Readable.from(noted(path, open, this.#written), { objectMode: false });
    this.#reading = reading;
    this.#zip.addReadStream(reading, path, { compress: false, mtime });
    await finished(reading, { writable: false });
  }

  /** Adds a text file. */
  addText(path: string, text: string, mtime: Date): Promise<void> {
    return this.add(path, () => Readable.from([Buffer.from(text)]), mtime);
  }

  /** Stops: closes the open file and rejects pending calls of `add`. */
  stop(): void {
    this.#isStopped = true;
    this.#reading?.destroy();
  }

  /** Ends the ZIP file with a list of its files. */
  async end(mtime: Date): Promise<void> {
    const manifest = Buffer.from(
      jsonText({ format: 'earshot-recordings', version: 1, files: this.#written }),
    );
    this.#zip.addBuffer(manifest, 'manifest.json', { compress: false, mtime });
    this.#zip.end();
  }
}

/**
 * Returns null for a recording that was purged since the request or whose bytes were lost, so that it is left out
 * and the others are still exported.
 */
async function sourceOf(
  deps: StreamZipDeps,
  principal: Principal,
  id: string,
): Promise<RecordingSource | null> {
  if (!(await deps.isWhole(id))) return null;
  try {
    return await deps.sources(principal, id);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not-found') return null;
    throw error;
  }
}

async function fill(
  deps: StreamZipDeps,
  files: ZipFiller,
  { principal, ids, nowMs }: ZipOptions,
): Promise<void> {
  const names = new UniqueNames();
  for (const id of ids) {
    const source = await sourceOf(deps, principal, id);
    if (source === null) continue;
    const { recording, original, extension } = source;
    const noted = await notedOf(deps.database.queries, id);
    const folder = names.claim(folderNameOf(recording));
    const madeAt = dateOf(
      timeOfRow(recording).kind === 'unknown' ? recording.created_at : recording.started_at,
    );
    await files.add(
      `${folder}/audio.${extension}`,
      () => original.stream({ startByte: 0, endByteExclusive: original.sizeBytes }),
      madeAt,
    );
    await files.addText(
      `${folder}/recording.json`,
      jsonText(describeRecording(recording, { ...noted, files: [] })),
      madeAt,
    );
    await files.addText(`${folder}/markers.vtt`, markersVtt(noted.markers), madeAt);
    await files.addText(`${folder}/notes.vtt`, notesVtt(noted.notes), madeAt);
    const transcript = await transcriptJson(deps.database.queries, id);
    if (transcript !== null) await files.add(`${folder}/transcript.json`, () => bytesOf(transcript), madeAt);
  }
  await files.end(dateOf(nowMs));
}

/**
 * The recordings as one ZIP file, made while it is read: a folder for each recording, and a manifest with the hash
 * of every file.
 */
export function streamZip(deps: StreamZipDeps, options: ZipOptions): Readable {
  const zip = new ZipFile();
  const files = new ZipFiller(zip);
  const output = new PassThrough();
  const breakOff = (error: unknown): void => {
    output.destroy(error instanceof Error ? error : new Error('the ZIP file could not be completed'));
  };
  zip.on('error', breakOff);
  // A slow reader receives all of it. When the reader has left, everything open is closed.
  pipeline(zip.outputStream, output, () => {
    files.stop();
  });
  fill(deps, files, options).catch(breakOff);
  return output;
}
