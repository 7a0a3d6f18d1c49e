import type { RestoreMatch } from '#contract/restores-api.ts';
import type { IdState } from '#server/features/access/id-states.ts';
import type { AccessedRecording, RecordingAccess } from '#server/features/access/recording-access.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { UploadRow } from '#server/storage/database/schema.ts';
import { readInPieces } from '#server/storage/rows/pieces.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';

/** The data by which a recording of an export is recognised. */
export interface ExportedRecording {
  id: string;
  files: readonly { uploadId: string; sha256: string }[];
}

type StoredFile = Pick<UploadRow, 'id' | 'recording_id' | 'sha256' | 'sealed_at'>;

/** What the server has under the requested ids. */
interface Known {
  idStates: ReadonlyMap<string, IdState>;
  /** The user's own recordings. */
  own: Map<string, AccessedRecording>;
  filesOf: Map<string, StoredFile[]>;
  recordingOfUpload: Map<string, string>;
}

/** What the comparison reads from. Both are of the caller's transaction, if there is one. */
interface Source {
  access: Pick<RecordingAccess, 'recordings' | 'idStates'>;
  queries: Queries;
}

async function readKnown(
  { access, queries }: Source,
  principal: SessionPrincipal,
  exported: readonly ExportedRecording[],
): Promise<Known> {
  const ids = exported.map(({ id }) => id);
  const uploadIds = exported.flatMap(({ files }) => files.map(({ uploadId }) => uploadId));
  const own = await readInPieces(ids, (some) => access.recordings(principal, some, 'own'));
  const files = await readInPieces(ids, (some) =>
    queries
      .selectFrom('uploads')
      .select(['id', 'recording_id', 'sha256', 'sealed_at'])
      .where('recording_id', 'in', some)
      .execute(),
  );
  const uploadRows = await readInPieces(uploadIds, (some) =>
    queries.selectFrom('uploads').select(['id', 'recording_id']).where('id', 'in', some).execute(),
  );
  return {
    idStates: await access.idStates(principal, ids),
    own: new Map(own.map((row) => [row.id, row])),
    filesOf: Map.groupBy(files, (row) => row.recording_id),
    recordingOfUpload: new Map(uploadRows.map((row) => [row.id, row.recording_id])),
  };
}

/** A recording that was never finished may be the exported one, cut short. */
export const isCutShort = (recording: AccessedRecording): boolean =>
  isUnfinished(recording) && recording.finished_at === null;
const isOver = ({ state }: AccessedRecording): boolean =>
  state === 'finishing' || state === 'ready' || state === 'failed';

function matchOfOwn(
  own: AccessedRecording,
  exported: ExportedRecording,
  stored: readonly StoredFile[],
): RestoreMatch {
  const wanted = new Map(exported.files.map(({ uploadId, sha256 }) => [uploadId, sha256]));
  const isPart = stored.every(
    ({ id, sha256, sealed_at: sealedAt }) =>
      wanted.has(id) && (sealedAt === null || wanted.get(id) === sha256),
  );
  const isWhole =
    isPart && stored.length === wanted.size && stored.every(({ sealed_at: sealedAt }) => sealedAt !== null);
  if (isCutShort(own) && isPart) return own.deleted_at === null ? 'importing' : 'trashed';
  if (isOver(own) && isWhole) return own.deleted_at === null ? 'present' : 'trashed';
  return 'conflict';
}

const isTaken = (state: IdState | undefined): boolean => state === 'taken' || state === 'purged-by-another';

function matchOf(known: Known, exported: ExportedRecording): RestoreMatch {
  const idState = known.idStates.get(exported.id);
  if (
    isTaken(idState) ||
    exported.files.some(
      ({ uploadId }) => (known.recordingOfUpload.get(uploadId) ?? exported.id) !== exported.id,
    )
  )
    return 'id-taken';
  const own = known.own.get(exported.id);
  if (own !== undefined) return matchOfOwn(own, exported, known.filesOf.get(exported.id) ?? []);
  return idState === 'purged' ? 'deleted' : 'unused';
}

/** Compares recordings of an export with a user's existing ones. Returns one match per recording, in order. */
export async function restoreMatches(
  source: Source,
  principal: SessionPrincipal,
  exported: readonly ExportedRecording[],
): Promise<RestoreMatch[]> {
  const known = await readKnown(source, principal, exported);
  return exported.map((each) => matchOf(known, each));
}
