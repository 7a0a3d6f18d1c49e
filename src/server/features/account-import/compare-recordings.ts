import type { RestoreState } from '#contract/restores-api.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { RecordingRow, UploadRow } from '#server/storage/database/schema.ts';

/** A recording of an export, as far as it takes to know it again. */
export interface ExportedRecording {
  id: string;
  files: readonly { uploadId: string; sha256: string }[];
}

type LocalRecording = Pick<RecordingRow, 'id' | 'owner_id' | 'state' | 'finished_at' | 'deleted_at'>;
type StoredFile = Pick<UploadRow, 'id' | 'recording_id' | 'sha256' | 'sealed_at'>;

/** What the database knows under the ids that were asked for. */
interface Known {
  here: Map<string, LocalRecording>;
  purgedBy: Map<string, string>;
  filesOf: Map<string, StoredFile[]>;
  recordingOfUpload: Map<string, string>;
}

/** Ids in one statement: fewer than either database takes. */
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

async function look(queries: Queries, asked: readonly ExportedRecording[]): Promise<Known> {
  const ids = asked.map(({ id }) => id);
  const uploadIds = asked.flatMap(({ files }) => files.map(({ uploadId }) => uploadId));
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
  const homes = await inPieces(uploadIds, (some) =>
    queries.selectFrom('uploads').select(['id', 'recording_id']).where('id', 'in', some).execute(),
  );
  return {
    here: new Map(here.map((row) => [row.id, row])),
    purgedBy: new Map(purged.map((row) => [row.id, row.owner_id])),
    filesOf: Map.groupBy(files, (row) => row.recording_id),
    recordingOfUpload: new Map(homes.map((row) => [row.id, row.recording_id])),
  };
}

/**
 * One that receives and was never finished may be the very one, cut short: no file of an export ever was of
 * such a recording otherwise.
 */
const isUnfinished = ({ state, finished_at: finishedAt }: LocalRecording): boolean =>
  (state === 'receiving' || state === 'abandoned') && finishedAt === null;
const isOver = ({ state }: LocalRecording): boolean =>
  state === 'finishing' || state === 'ready' || state === 'failed';

function stateOfOwn(
  own: LocalRecording,
  asked: ExportedRecording,
  stored: readonly StoredFile[],
): RestoreState {
  const wanted = new Map(asked.files.map(({ uploadId, sha256 }) => [uploadId, sha256]));
  const isPart = stored.every(
    ({ id, sha256, sealed_at: sealedAt }) =>
      wanted.has(id) && (sealedAt === null || wanted.get(id) === sha256),
  );
  const isWhole =
    isPart && stored.length === wanted.size && stored.every(({ sealed_at: sealedAt }) => sealedAt !== null);
  if (isUnfinished(own) && isPart) return own.deleted_at === null ? 'begun' : 'trashed';
  if (isOver(own) && isWhole) return own.deleted_at === null ? 'there' : 'trashed';
  return 'different';
}

function stateOf(known: Known, ownerId: string, asked: ExportedRecording): RestoreState {
  const own = known.here.get(asked.id);
  const purgedBy = known.purgedBy.get(asked.id);
  const isTaken =
    (own !== undefined && own.owner_id !== ownerId) || (purgedBy !== undefined && purgedBy !== ownerId);
  if (
    isTaken ||
    asked.files.some(({ uploadId }) => (known.recordingOfUpload.get(uploadId) ?? asked.id) !== asked.id)
  )
    return 'taken';
  if (own !== undefined) return stateOfOwn(own, asked, known.filesOf.get(asked.id) ?? []);
  return purgedBy === undefined ? 'new' : 'purged';
}

/** How recordings of an export stand to what is here, for one person, in their order. */
export async function statesOf(
  queries: Queries,
  ownerId: string,
  asked: readonly ExportedRecording[],
): Promise<RestoreState[]> {
  const known = await look(queries, asked);
  return asked.map((each) => stateOf(known, ownerId, each));
}
