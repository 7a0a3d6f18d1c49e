import { randomBytes } from 'node:crypto';
import { uuidV7 } from '#base/uuid-v7.ts';
import { foldForSearch } from '#base/text.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { joinShort } from '#server/storage/search/search-index.ts';
import type {
  MarkerRow,
  RecordingRow,
  SessionRow,
  UploadRow,
  UserRow,
} from '#server/storage/database/schema.ts';

const bornMs = Date.UTC(2026, 10, 21, 9);

/** A new UUIDv7. */
export const newId = (nowMs = Date.now()): string => uuidV7(nowMs, randomBytes(16));

/** The principal of a member who has just signed in. */
export const sessionPrincipal = (userId: string): SessionPrincipal => ({
  kind: 'session',
  userId,
  role: 'member',
  sessionId: newId(),
  tokenHash: '',
  authTimeMs: bornMs,
});

/** Stores a member with a unique e-mail address. */
export async function storeUser(queries: Queries, given: Partial<UserRow> = {}): Promise<UserRow> {
  const id = given.id ?? newId();
  const email = given.email === undefined ? `${id}@example.org` : given.email;
  const { notices_seen_at = null, ...known } = given;
  const row = {
    id,
    display_name: 'Mira',
    email,
    email_key: email?.normalize('NFKC').toLowerCase() ?? null,
    email_verified_at: null,
    locale: null,
    role: 'member' as const,
    created_at: bornMs,
    disabled_at: null,
    ...known,
  };
  // Tests of migrations store users before this column exists.
  await queries
    .insertInto('users')
    .values(notices_seen_at === null ? row : { ...row, notices_seen_at })
    .execute();
  return { ...row, notices_seen_at };
}

/** Stores a session of a user, valid for a day. */
export async function storeSession(
  queries: Queries,
  given: Partial<SessionRow> & { user_id: string },
): Promise<SessionRow> {
  const row: SessionRow = {
    token_hash: randomBytes(32).toString('hex'),
    id: newId(),
    created_at: bornMs,
    last_seen_at: bornMs,
    idle_ms: 86_400_000,
    idle_expires_at: bornMs + 86_400_000,
    absolute_expires_at: bornMs + 86_400_000,
    auth_time: bornMs,
    second_factor_at: null,
    proven_at: bornMs,
    notices_seen_at: null,
    method: 'password',
    label: 'Firefox on Linux',
    ip_prefix: '192.0.2.0/24',
    ...given,
  };
  await queries.insertInto('sessions').values(row).execute();
  return row;
}

/** Stores a recording in state `receiving` and adds it to the search index. */
export async function storeRecording(
  queries: Queries,
  given: Partial<RecordingRow> & { owner_id: string },
): Promise<RecordingRow> {
  const title = given.title ?? 'Interview with Anna';
  const row: RecordingRow = {
    id: newId(),
    title,
    title_folded: foldForSearch(title),
    language: null,
    started_at: bornMs,
    time_zone: 'Europe/Berlin',
    recorded_kind: 'moment',
    recorded_date: null,
    recorded_from: null,
    began_at: null,
    duration_ms: 0,
    state: 'receiving',
    container: 'ogg',
    codec: 'opus',
    sample_rate_hz: 48_000,
    channels: 1,
    size_bytes: 0,
    stored_bytes: 0,
    sha256: null,
    source: 'microphone',
    device_label: null,
    peaks_points: 0,
    overview: null,
    gaps: '[]',
    pauses: '[]',
    microphone_silence_ms: null,
    people: '[]',
    damaged_at: null,
    distrusted_at: null,
    finished_at: null,
    created_at: bornMs,
    updated_at: bornMs,
    deleted_at: null,
    ...given,
  };
  // Some tests start with an older schema, which lacks some columns.
  const {
    distrusted_at: distrustedAt,
    recorded_kind: kind,
    recorded_date: date,
    recorded_from: from,
    began_at: beganAt,
    microphone_silence_ms: silenceMs,
    ...older
  } = row;
  const newer = {
    ...(distrustedAt === null ? {} : { distrusted_at: distrustedAt }),
    ...(kind === 'moment' ? {} : { recorded_kind: kind, recorded_date: date }),
    ...(from === null ? {} : { recorded_from: from }),
    ...(beganAt === null ? {} : { began_at: beganAt }),
    ...(silenceMs === null ? {} : { microphone_silence_ms: silenceMs }),
  };
  await queries
    .insertInto('recordings')
    .values({ ...older, ...newer })
    .execute();
  await joinShort(queries, [row]);
  return row;
}

/** Stores an open upload of a recording's first segment. */
export async function storeUpload(
  queries: Queries,
  given: Partial<UploadRow> & { recording_id: string },
): Promise<UploadRow> {
  const row: UploadRow = {
    id: newId(),
    stream: 'audio',
    segment_index: 0,
    start_ms: 0,
    epoch: 1,
    size_bytes: null,
    sha256: null,
    sealed_at: null,
    container: 'ogg',
    verified_at: null,
    damaged_at: null,
    remuxed_bytes: null,
    remuxed_container: null,
    packet_samples: null,
    created_at: bornMs,
    ...given,
  };
  const { remuxed_container: remuxedContainer, ...older } = row;
  await queries
    .insertInto('uploads')
    .values(remuxedContainer === null ? older : row)
    .execute();
  return row;
}

/** Stores a marker. */
export async function storeMarker(
  queries: Queries,
  given: Partial<MarkerRow> & { recording_id: string; created_by: string },
): Promise<MarkerRow> {
  const row: MarkerRow = {
    id: newId(),
    at_ms: 1000,
    label: 'Childhood',
    colour: 'blue',
    created_at: bornMs,
    ...given,
  };
  await queries.insertInto('markers').values(row).execute();
  return row;
}
