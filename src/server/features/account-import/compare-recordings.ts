import type { RestoreState } from '#contract/restores-api.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { RecordingRow, UploadRow } from '#server/storage/database/schema.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';

/** The data by which a recording of an export is recognised. */
export interface ExportedRecording {
  id: string;
  files: readonly { uploadId: string; sha256: string }[];
}

type LocalRecording = Pick<RecordingRow, 'id' | 'owner_id' | 'state' | 'finished_at' | 'deleted_at'>;
type StoredFile = Pick<UploadRow, 'id' | 'recording_id' | 'sha256' | 'sealed_at'>;

/** The existing rows with the requested ids. */
interface Known {
  here: Map<string, LocalRecording>;
  purgedBy: Map<string, string>;
  filesOf: Map<string, StoredFile[]>;
  recordingOfUpload: Map<string, string>;
}

/** Ids per statement, below the parameter limit of both databases. */
const together = 1000;

async function inPieces<Row>(
  ids: readonly string[],
  read: (some: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let from = 0; from < ids.length; from += together)
    rows.push(...(await read(ids.slice(from, from + together))));
  return rows;
}

async function readKnown(queries: Queries, exported: readonly ExportedRecording[]): Promise<Known> {
  const ids = exported.map(({ id }) => id);
  const uploadIds = exported.flatMap(({ files }) => files.map(({ uploadId }) => uploadId));
  const here = await inPieces(ids, (some) =>
    queries
      .selectFrom('recordings')
      .select(['id', 'owner_id', 'state', 'finished_at', 'deleted_at'])
      .where('id', 'in', some)
      .execute(),
  );
  const purged = await inPieces(ids, (some) =>
    queries.selectFrom('purged_recordings').select(['id', 'owner_id']).where('id', 'in', some).execute(),
  );
  const files = await inPieces(ids, (some) =>
    queries
      .selectFrom('uploads')
      .select(['id', 'recording_id', 'sha256', 'sealed_at'])
      .where('recording_id', 'in', some)
      .execute(),
  );
  const uploadOwners = await inPieces(uploadIds, (some) =>
    queries.selectFrom('uploads').select(['id', 'recording_id']).where('id', 'in', some).execute(),
  );
  return {
    here: new Map(here.map((row) => [row.id, row])),
    purgedBy: new Map(purged.map((row) => [row.id, row.owner_id])),
    filesOf: Map.groupBy(files, (row) => row.recording_id),
    recordingOfUpload: new Map(uploadOwners.map((row) => [row.id, row.recording_id])),
  };
}

/** A recording that was never finished may be the exported one, cut short. */
const isCutShort = (recording: LocalRecording): boolean =>
  isUnfinished(recording) && recording.finished_at === null;
const isOver = ({ state }: LocalRecording): boolean =>
  state === 'finishing' || state === 'ready' || state === 'failed';

function stateOfOwn(
  own: LocalRecording,
  exported: ExportedRecording,
  stored: readonly StoredFile[],
): RestoreState {
  const wanted = new Map(exported.files.map(({ uploadId, sha256 }) => [uploadId, sha256]));
  const isPart = stored.every(
    ({ id, sha256, sealed_at: sealedAt }) =>
      wanted.has(id) && (sealedAt === null || wanted.get(id) === sha256),
  );
  const isWhole =
    isPart && stored.length === wanted.size && stored.every(({ sealed_at: sealedAt }) => sealedAt !== null);
  if (isCutShort(own) && isPart) return own.deleted_at === null ? 'begun' : 'trashed';
  if (isOver(own) && isWhole) return own.deleted_at === null ? 'there' : 'trashed';
  return 'different';
}

function stateOf(known: Known, ownerId: string, exported: ExportedRecording): RestoreState {
  const own = known.here.get(exported.id);
  const purgedBy = known.purgedBy.get(exported.id);
  const isTaken =
    (own !== undefined && own.owner_id !== ownerId) || (purgedBy !== undefined && purgedBy !== ownerId);
  if (
    isTaken ||
    exported.files.some(
      ({ uploadId }) => (known.recordingOfUpload.get(uploadId) ?? exported.id) !== exported.id,
    )
  )
    return 'taken';
  if (own !== undefined) return stateOfOwn(own, exported, known.filesOf.get(exported.id) ?? []);
  return purgedBy === undefined ? 'new' : 'purged';
}

/** Compares recordings of an export with a user's existing ones. Returns one state per recording, in order. */
export async function statesOf(
  queries: Queries,
  ownerId: string,
  exported: readonly ExportedRecording[],
): Promise<RestoreState[]> {
  const known = await readKnown(queries, exported);
  return exported.map((each) => stateOf(known, ownerId, each));
}
