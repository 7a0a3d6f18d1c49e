import { randomBytes } from 'node:crypto';
import { orderMsOf, possibleTime } from '#base/recorded-time/order.ts';
import { momentOf } from '#base/recorded-time/recorded-time.ts';
import { foldForSearch } from '#base/text.ts';
import { uuidV7 } from '#base/uuid-v7.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { RestoredRecording, RestoreMatch } from '#contract/restores-api.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import { momentOfClient } from '#server/storage/rows/moments.ts';
import { columnsOfTime, type timeColumns } from '#server/storage/rows/stored-time.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { userTitle } from '#server/storage/generated-title.ts';
import { alone } from './alone.ts';
import { restoreMatches } from './compare-recordings.ts';
import { restoreTags } from './restore-tags.ts';
import type { AccountImportDeps } from './account-import-deps.ts';

interface Options {
  id: string;
  ownerId: string;
  wanted: RestoredRecording;
  nowMs: number;
}

const sizeOf = ({ files }: RestoredRecording): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Exports of older versions only have moments. An impossible time becomes unknown. */
function timeOf(
  { source, recordedTime, startedAt, timeZone }: RestoredRecording,
  nowMs: number,
): Pick<RecordingRow, (typeof timeColumns)[number] | 'began_at'> {
  const beganAt = momentOf(startedAt, timeZone);
  const time = possibleTime(recordedTime ?? beganAt, nowMs);
  return {
    ...columnsOfTime(time),
    began_at: source === 'microphone' && orderMsOf(time) !== orderMsOf(beganAt) ? orderMsOf(beganAt) : null,
  };
}

function rowOf({ id, ownerId, wanted, nowMs }: Options): RecordingRow {
  const { format } = wanted;
  const title = userTitle(wanted);
  return {
    id,
    owner_id: ownerId,
    title,
    title_folded: foldForSearch(title),
    language: wanted.language,
    ...timeOf(wanted, nowMs),
    duration_ms: 0,
    state: 'receiving',
    container: format.container,
    codec: format.codec,
    sample_rate_hz: format.sampleRateHz,
    channels: format.channels,
    size_bytes: 0,
    stored_bytes: sizeOf(wanted),
    sha256: null,
    source: wanted.source,
    device_label: wanted.deviceLabel,
    peaks_points: 0,
    overview: null,
    gaps: '[]',
    pauses: '[]',
    microphone_silence_ms: null,
    people: JSON.stringify(wanted.people),
    damaged_at: null,
    distrusted_at: null,
    finished_at: null,
    created_at: momentOfClient(wanted.createdAt, nowMs),
    updated_at: nowMs,
    deleted_at: null,
  };
}

async function tagIt(queries: Queries, { id, ownerId, wanted: { tags }, nowMs }: Options): Promise<void> {
  const here = await restoreTags(queries, { ownerId, nowMs }, tags);
  const ids = new Set(
    here.map((tag, index) => {
      if ('rejected' in tag) throw rejectField(`/tags/${index}/id`, tag.rejected);
      return tag.id;
    }),
  );
  if (ids.size > 0)
    await queries
      .insertInto('recording_tags')
      .values([...ids].map((tagId) => ({ recording_id: id, tag_id: tagId })))
      .execute();
}

async function placeIt(
  queries: Queries,
  { id, ownerId, wanted: { position }, nowMs }: Options,
): Promise<void> {
  if (position === null) return;
  const row = {
    recording_id: id,
    user_id: ownerId,
    position_ms: position.positionMs,
    heard_at: momentOfClient(position.heardAt, nowMs),
    player_id: uuidV7(nowMs, randomBytes(16)),
  };
  await queries.insertInto('playback_positions').values(row).execute();
}

async function starIt(queries: Queries, { id, ownerId, wanted: { isFavourite } }: Options): Promise<void> {
  if (isFavourite)
    await queries.insertInto('favourites').values({ user_id: ownerId, recording_id: id }).execute();
}

/** Their ids are new: no request names them, and the export may be read on the server that it is from. */
async function withholdIt(queries: Queries, { id, wanted: { passages }, nowMs }: Options): Promise<void> {
  if (passages.length === 0) return;
  const rows = passages.map(({ fromMs, toMs }) => ({
    id: uuidV7(nowMs, randomBytes(16)),
    recording_id: id,
    from_ms: fromMs,
    to_ms: toMs,
    created_at: nowMs,
    released_at: null,
  }));
  await queries.insertInto('passages').values(rows).execute();
}

async function insert(queries: Queries, options: Options): Promise<void> {
  const {
    id,
    ownerId,
    wanted: { file },
  } = options;
  await queries.insertInto('recordings').values(rowOf(options)).execute();
  await queries
    .insertInto('announced_recordings')
    .values({ recording_id: id, size_bytes: sizeOf(options.wanted) })
    .execute();
  if (file !== null) {
    await queries
      .insertInto('imported_files')
      .values({
        recording_id: id,
        importer_id: ownerId,
        file_name: file.name,
        file_media_type: file.mediaType,
        file_size_bytes: file.sizeBytes,
        file_sha256: file.sha256,
        rendition: 'waiting',
        failure_reason: null,
      })
      .execute();
  }
  await tagIt(queries, options);
  await placeIt(queries, options);
  await starIt(queries, options);
  await withholdIt(queries, options);
  await reindexRecording(queries, id);
}

/** restore-conflict (409) with what the server has under the id. */
export const conflict = (match: RestoreMatch): ProblemError =>
  new ProblemError('restore-conflict', { errors: [{ pointer: '/id', code: match }] });

export interface RestoredHere {
  created: boolean;
  match: 'importing' | 'present';
  upload: UploadCapability | null;
}

/** Starts or resumes the import of a recording. Existing data is not changed. */
export async function startRestore(
  deps: AccountImportDeps,
  { id, principal }: { id: string; principal: SessionPrincipal },
  wanted: RestoredRecording,
): Promise<RestoredHere> {
  const { userId: ownerId } = principal;
  const match = await alone(deps, ownerId, async (transaction) => {
    const source = { access: deps.access.inTransaction(transaction), queries: transaction };
    const [found = 'unused'] = await restoreMatches(source, principal, [{ id, files: wanted.files }]);
    if (found !== 'unused') return found;
    await deps.usage.admitBytes(transaction, ownerId, { sizeBytes: sizeOf(wanted), pointer: '/files' });
    await insert(transaction, { id, ownerId, wanted, nowMs: deps.clock.nowMs() });
    return found;
  });
  if (match === 'present') return { created: false, match, upload: null };
  if (match !== 'unused' && match !== 'importing') throw conflict(match);
  const upload = await deps.database.transaction((transaction) =>
    deps.uploads.issueCapability(transaction, { ...principal, recordingId: id }),
  );
  if (match === 'unused') deps.announce.recordingChanged(ownerId, id);
  return { created: match === 'unused', match: 'importing', upload };
}
