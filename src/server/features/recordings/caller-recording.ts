import type { Principal, SessionPrincipal } from '#server/http/principal.ts';
import type { RecordingAccess, RecordingRight } from '#server/features/access/recording-access.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import * as store from './recordings-store.ts';

/** What opening a recording needs. */
export interface CallerDeps {
  access: Pick<RecordingAccess, 'limit'>;
  database: Pick<Database, 'queries'>;
}

/**
 * Reads a recording that its reader may open.
 * @throws not-found (404) if it was purged in the meantime
 */
export async function readRecording(queries: Queries, id: string): Promise<store.RecordingWithCounts> {
  const row = await store.findAny(queries, id);
  if (!row) throw new ProblemError('not-found');
  return row;
}

/**
 * Opens a recording for a principal and reads it with its counts.
 * @throws not-found (404), forbidden (403), see `RecordingAccess`
 */
export async function callerRecording(
  { access, database }: CallerDeps,
  principal: Principal | null,
  { id, right }: { id: string; right: RecordingRight },
): Promise<store.RecordingWithCounts> {
  const row = await store.findWhere(database.queries, (query) =>
    access.limit(query, principal, { recordingId: id, right }),
  );
  if (!row) throw new ProblemError('not-found');
  return row;
}

/**
 * For a recording that could not be opened: says if its owner has deleted it permanently, so that a device that has a
 * copy, or records it, can tell that from a recording that the server never had.
 * @throws purged (410), or the error
 */
export async function rejectAsPurged(
  { access }: { access: Pick<RecordingAccess, 'idStates'> },
  { principal, id }: { principal: Principal | null; id: string },
  error: unknown,
): Promise<never> {
  const isMissing = error instanceof ProblemError && error.code === 'not-found';
  if (
    isMissing &&
    principal?.kind === 'session' &&
    (await access.idStates(principal, [id])).get(id) === 'purged'
  )
    throw new ProblemError('purged');
  throw error;
}

type Device = Pick<SessionPrincipal, 'kind' | 'sessionId'> | Exclude<Principal, SessionPrincipal> | null;

/** The browser and operating system of the device that sent a request, for the history of a recording. */
export async function deviceLabelOf(queries: Queries, device: Device): Promise<string> {
  if (device?.kind === 'upload-capability') return device.deviceLabel;
  if (device?.kind !== 'session') return '';
  const session = await queries
    .selectFrom('sessions')
    .select('label')
    .where('id', '=', device.sessionId)
    .executeTakeFirst();
  return session?.label ?? '';
}
