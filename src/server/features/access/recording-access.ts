import type { SelectQueryBuilder } from 'kysely';
import type { Principal, SessionPrincipal, UploadPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { RecordingRow, Schema } from '#server/storage/database/schema.ts';
import { type IdState, idStatesOf } from './id-states.ts';

/**
 * What a principal does with a recording: `listen` reads it, `change` also changes what is said about it and ends a
 * take, `own` does what only its owner may: continue, trash, restore and purge it.
 */
export type RecordingRight = 'listen' | 'change' | 'own';

const columns = [
  'id',
  'owner_id',
  'state',
  'duration_ms',
  'size_bytes',
  'finished_at',
  'deleted_at',
] as const;

/** What is read of a recording when it is opened. */
export type AccessedRecording = Pick<RecordingRow, (typeof columns)[number]>;

/** The only place that decides who may open a recording. */
export interface RecordingAccess {
  /** The same, reading in a caller's transaction. */
  inTransaction(transaction: Queries): RecordingAccess;
  /**
   * Opens a recording for a principal.
   * @throws not-found (404), also if the recording belongs to another user; forbidden (403) for a capability or a
   * share without this right
   */
  recording(
    principal: Principal | null,
    recordingId: string,
    right: RecordingRight,
  ): Promise<AccessedRecording>;
  /**
   * Limits a query of recordings to one that the principal may open, for callers that read more of it.
   * @throws session-required (401), forbidden (403)
   */
  limit: <Row>(
    query: SelectQueryBuilder<Schema, 'recordings', Row>,
    principal: Principal | null,
    opened: { recordingId: string; right: RecordingRight },
  ) => SelectQueryBuilder<Schema, 'recordings', Row>;
  /** Opens those of these recordings to which the user has the right, in any order. The others are left out. */
  recordings(
    principal: SessionPrincipal,
    recordingIds: readonly string[],
    right: RecordingRight,
  ): Promise<AccessedRecording[]>;
  /**
   * Checks that a capability is for this recording. Reads nothing, so that an append costs no query.
   * @throws forbidden (403)
   */
  rejectOtherRecording(bearer: UploadPrincipal, recordingId: string): void;
  /** Which of these ids the user may register as recordings. Every id has a state. */
  idStates(
    principal: SessionPrincipal,
    recordingIds: readonly string[],
  ): Promise<ReadonlyMap<string, IdState>>;
}

/** The rights of each kind of principal, to its user's recordings or to the one that it was issued for. */
const rightsOf: Record<Principal['kind'], readonly RecordingRight[]> = {
  session: ['listen', 'change', 'own'],
  'upload-capability': ['change'],
  share: ['listen'],
  'share-locked': [],
  'share-outsider': [],
};

function rejectWithoutRight({ kind }: Principal, right: RecordingRight): void {
  if (!rightsOf[kind].includes(right)) throw new ProblemError('forbidden');
}

function rejectOtherRecording(bearer: { recordingId: string }, recordingId: string): void {
  if (bearer.recordingId !== recordingId) throw new ProblemError('forbidden');
}

type Found<Row> = SelectQueryBuilder<Schema, 'recordings', Row>;

/** Limits a lookup to what the principal's right extends to. */
function within<Row>(found: Found<Row>, principal: Principal, recordingId: string): Found<Row> {
  switch (principal.kind) {
    case 'session':
      return found.where('owner_id', '=', principal.userId);
    case 'upload-capability':
      rejectOtherRecording(principal, recordingId);
      return found;
    case 'share':
      rejectOtherRecording(principal, recordingId);
      return found.where('deleted_at', 'is', null);
    case 'share-locked':
    case 'share-outsider':
      throw new ProblemError('forbidden');
  }
}

/** Decides by ownership, and by the recording that a capability or a share is for. */
export function createRecordingAccess({ queries }: Pick<Database, 'queries'>): RecordingAccess {
  const limit: RecordingAccess['limit'] = (query, principal, { recordingId, right }) => {
    if (principal === null) throw new ProblemError('session-required');
    rejectWithoutRight(principal, right);
    return within(query.where('id', '=', recordingId), principal, recordingId);
  };
  return {
    limit,
    inTransaction: (transaction) => createRecordingAccess({ queries: transaction }),
    async recording(principal, recordingId, right) {
      const found = queries.selectFrom('recordings').select(columns);
      const row = await limit(found, principal, { recordingId, right }).executeTakeFirst();
      if (!row) throw new ProblemError('not-found');
      return row;
    },
    async recordings(principal, recordingIds, right) {
      rejectWithoutRight(principal, right);
      return queries
        .selectFrom('recordings')
        .select(columns)
        .where('owner_id', '=', principal.userId)
        .where('id', 'in', recordingIds)
        .execute();
    },
    rejectOtherRecording,
    idStates: ({ userId }, recordingIds) => idStatesOf(queries, userId, recordingIds),
  };
}
