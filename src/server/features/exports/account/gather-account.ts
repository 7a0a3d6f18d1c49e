import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { endingOf } from '#base/file-name.ts';
import { instantOf } from '#base/instant.ts';
import { isStorageOutage } from '#base/errors/storage-outage.ts';
import type { LeftOutRecording } from '#contract/exports-api.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { Database } from '#server/storage/database/database.ts';
import type {
  AccountExportEntryRow,
  AccountExportRow,
  ImportedFileRow,
  RecordingRow,
} from '#server/storage/database/schema.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import type { StoredSegment, StoredSegments } from '#server/features/uploads/stored-segments.ts';
import {
  type DescribedFile,
  describeAccount,
  describeRecording,
  jsonText,
  markersVtt,
  notesVtt,
} from '#server/features/exports/contents/describe-recording.ts';
import { folderNameOf, UniqueNames } from '#server/features/exports/contents/safe-names.ts';
import {
  accountOf,
  type AfterRecording,
  nextRecordings,
  undatedRecordings,
  notedOf,
} from '#server/features/exports/contents/exports-store.ts';
import { transcriptJson } from '#server/features/exports/contents/transcript-json.ts';
import { wholeOf } from '#server/features/exports/contents/whole-files.ts';
import { ZipPlacer } from '#server/features/exports/zip/zip-bytes.ts';
import { checksumOf } from './checksums.ts';
import { deleteEntries, deleteExpiredExports, insertEntries } from './export-store.ts';
import { describeLeftOut, reasonLeftOut } from './left-out.ts';

export interface GatherDeps {
  database: Database;
  blobs: BlobStore;
  storedSegments: StoredSegments;
  reserve: Pick<DiskReserve, 'check'>;
}

export const gatherJob = 'gather-account';
const payloadSchema = z.object({ exportId: z.string() });
/** From this attempt on the export is shown as failed. */
const attemptsUntilShown = 3;

interface ListedFile {
  path: string;
  sizeBytes: number;
  sha256: string;
}
interface Folder {
  isOnly: boolean;
  file: ImportedFileRow | undefined;
}
type SealedSegment = StoredSegment & { sha256: string };

const sealedOf = (segments: readonly StoredSegment[]): SealedSegment[] =>
  segments.filter(
    (segment): segment is SealedSegment => segment.sealedAtMs !== null && segment.sha256 !== null,
  );

/** The path of a stored file in its recording's folder, numbered if there are several. */
function pathOf({ stream, index, container }: StoredSegment, { isOnly, file }: Folder): string {
  const number = isOnly ? '' : `-${String(index + 1).padStart(4, '0')}`;
  if (stream === 'peaks') return `waveform${number}.bin`;
  return `audio${number}${container === 'original' ? endingOf(file?.file_name ?? '').toLowerCase() || '.bin' : `.${container}`}`;
}

const describedOf = (segment: SealedSegment, folder: Folder): DescribedFile => ({
  uploadId: segment.uploadId,
  stream: segment.stream,
  index: segment.index,
  startMs: segment.startMs,
  container: segment.container,
  path: pathOf(segment, folder),
  sizeBytes: segment.sizeBytes,
  sha256: segment.sha256,
});

/**
 * Writes the plan of one export: the position and checksum of every file, and the contents of files that are not
 * stored uploads.
 */
class AccountGatherer {
  readonly #deps: GatherDeps;
  readonly #exportId: string;
  readonly #placer = new ZipPlacer();
  readonly #names = new UniqueNames();
  readonly #listed: ListedFile[] = [];
  #waiting: AccountExportEntryRow[] = [];
  #position = 0;
  readonly #leftOut: LeftOutRecording[] = [];
  recordingCount = 0;

  constructor(deps: GatherDeps, exportId: string) {
    this.#deps = deps;
    this.#exportId = exportId;
  }

  get leftOutCount(): number {
    return this.#leftOut.length;
  }

  /**
   * Adds a recording's folder: also that of an imported file in which there is nothing to play. A recording that is
   * not finished, or whose sound was lost, is named and left out.
   */
  async addRecording(row: RecordingRow, signal: AbortSignal): Promise<void> {
    const {
      database: { queries },
      blobs,
      storedSegments,
    } = this.#deps;
    const sealed = sealedOf(await storedSegments(row.id));
    const segments = await wholeOf(blobs, sealed);
    const noted = await notedOf(queries, row.id);
    const reason = reasonLeftOut(row, noted.file, { sealed, whole: segments });
    if (reason !== null) {
      this.#leftOut.push(describeLeftOut(row, reason));
      return;
    }
    const folder = this.#names.claim(folderNameOf(row));
    const about = {
      isOnly: segments.filter(({ stream }) => stream === 'audio').length === 1,
      file: noted.file,
    };
    for (const segment of segments) {
      const checksum = await checksumOf({ queries, blobs }, segment, signal);
      this.#add(
        {
          path: `recordings/${folder}/${pathOf(segment, about)}`,
          sizeBytes: segment.sizeBytes,
          sha256: segment.sha256,
        },
        { crc32: checksum, uploadId: segment.uploadId, blobKey: segment.blobKey },
      );
    }
    this.#addText(
      `recordings/${folder}/recording.json`,
      jsonText(
        describeRecording(row, { ...noted, files: segments.map((segment) => describedOf(segment, about)) }),
      ),
    );
    this.#addText(`recordings/${folder}/markers.vtt`, markersVtt(noted.markers));
    this.#addText(`recordings/${folder}/notes.vtt`, notesVtt(noted.notes));
    await this.#addTranscript(row.id, folder, signal);
    this.recordingCount += 1;
    await this.#flush();
  }

  /**
   * Adds the account's own data, the manifest, and the data of this export. Returns the sizes of the whole ZIP
   * file.
   */
  async end({
    owner_id: ownerId,
    created_at: createdAtMs,
  }: AccountExportRow): Promise<ReturnType<ZipPlacer['end']>> {
    this.#addText(
      'account.json',
      jsonText(describeAccount(await accountOf(this.#deps.database.queries, ownerId))),
    );
    // Data that differs between exports of the same recordings is stored outside of the manifest.
    this.#addText(
      'manifest.json',
      jsonText({ format: 'earshot-account', version: 1, files: this.#listed.slice() }),
    );
    this.#addText(
      'export.json',
      jsonText({ id: this.#exportId, createdAt: instantOf(createdAtMs), leftOut: this.#leftOut }),
    );
    await this.#flush();
    return this.#placer.end();
  }

  async #addTranscript(recordingId: string, folder: string, signal: AbortSignal): Promise<void> {
    const pieces = await transcriptJson(this.#deps.database.queries, recordingId);
    if (pieces === null) return;
    let text = '';
    for await (const piece of pieces) {
      signal.throwIfAborted();
      text += piece;
    }
    // The text is stored until the export expires.
    await this.#deps.reserve.check(text.length);
    this.#addText(`recordings/${folder}/transcript.json`, text);
  }

  #addText(path: string, content: string): void {
    const bytes = Buffer.from(content);
    this.#add({ path, sizeBytes: bytes.length, sha256: hashOf(bytes) }, { crc32: crc32(bytes), content });
  }

  #add(
    file: ListedFile,
    from: { crc32: number; uploadId?: string; blobKey?: string; content?: string },
  ): void {
    const { path, sizeBytes } = file;
    const place = this.#placer.place({ path, sizeBytes, crc32: from.crc32 });
    this.#listed.push(file);
    this.#waiting.push({
      export_id: this.#exportId,
      position: this.#position,
      path,
      size_bytes: sizeBytes,
      crc32: from.crc32,
      offset_bytes: place.offsetBytes,
      directory_bytes: place.directoryBytes,
      upload_id: from.uploadId ?? null,
      blob_key: from.blobKey ?? null,
      content: from.content ?? null,
    });
    this.#position += 1;
  }

  async #flush(): Promise<void> {
    await insertEntries(this.#deps.database.queries, this.#waiting);
    this.#waiting = [];
  }
}

async function gather(deps: GatherDeps, exportId: string, signal: AbortSignal): Promise<void> {
  const { queries } = deps.database;
  const row = await queries
    .selectFrom('account_exports')
    .selectAll()
    .where('id', '=', exportId)
    .executeTakeFirst();
  if (!row || row.state === 'ready') return;
  await deleteExpiredExports(queries, row.created_at);
  await deleteEntries(queries, exportId);
  const account = new AccountGatherer(deps, exportId);
  for (let after: AfterRecording | null = null; ;) {
    const page = await nextRecordings(queries, row.owner_id, after);
    await deps.reserve.check(0);
    for (const recording of page) await account.addRecording(recording, signal);
    const last = page.at(-1);
    if (!last) break;
    after = { startedAtMs: last.started_at, id: last.id };
  }
  for (const recording of await undatedRecordings(queries, row.owner_id))
    await account.addRecording(recording, signal);
  const { entryCount, directoryOffset, directorySize, sizeBytes } = await account.end(row);
  await queries
    .updateTable('account_exports')
    .set({
      state: 'ready',
      size_bytes: sizeBytes,
      entry_count: entryCount,
      directory_offset: directoryOffset,
      directory_size: directorySize,
      recording_count: account.recordingCount,
      left_out: account.leftOutCount,
    })
    .where('id', '=', exportId)
    .execute();
}

async function showFailed({ database }: GatherDeps, exportId: string): Promise<void> {
  await database.queries
    .updateTable('account_exports')
    .set({ state: 'failed' })
    .where('id', '=', exportId)
    .where('state', '=', 'preparing')
    .execute();
}

/** The job that plans an account's ZIP file. It can be repeated safely. */
export function gatherAccountJob(deps: GatherDeps): JobHandler {
  return {
    kind: gatherJob,
    lane: 'long',
    async onSetAside(payload) {
      await showFailed(deps, payloadSchema.parse(payload).exportId);
    },
    async run({ payload, attempts }, { signal }) {
      const { exportId } = payloadSchema.parse(payload);
      try {
        await gather(deps, exportId, signal);
      } catch (error) {
        if (attempts >= attemptsUntilShown && !isStorageOutage(error)) await showFailed(deps, exportId);
        throw error;
      }
    },
  };
}
