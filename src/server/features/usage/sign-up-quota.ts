import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { UserRow } from '#server/storage/database/schema.ts';

/** Gives a new account its own quota. Call it in the transaction that creates the account. */
type GrantQuota = (queries: Queries, user: Pick<UserRow, 'id' | 'role'>) => Promise<void>;

/** The quota of accounts that strangers can make. */
export interface SignUpQuota {
  /** Null if new accounts get none of their own. */
  readBytes: () => Promise<number | null>;
  grant: GrantQuota;
}

const maxDefaultBytes = 50_000_000_000;
const defaultShare = 0.2;

interface SignUpQuotaConfig {
  signUp: 'open' | 'closed';
  /** The quota of every user without their own; null for none. */
  quotaBytes: number | null;
  /** Null selects the default for the size of the disk, 0 grants none. */
  signUpQuotaBytes: number | null;
}

/** A fifth of the disk, at most 50 GB. */
export async function defaultSignUpQuotaBytes(
  blobs: Pick<BlobStore, 'space' | 'hasOtherWriters'>,
): Promise<number> {
  // A store that several servers share has no disk of its own.
  const space = blobs.hasOtherWriters ? null : await blobs.space().catch(() => null);
  return space === null
    ? maxDefaultBytes
    : Math.min(maxDefaultBytes, Math.floor(space.totalBytes * defaultShare));
}

/**
 * Creates the quota of accounts that strangers can make. Administrators, and all accounts where sign-up is closed or one
 * quota holds for every user, get none of their own.
 */
export function createSignUpQuota(
  blobs: Pick<BlobStore, 'space' | 'hasOtherWriters'>,
  { signUp, quotaBytes, signUpQuotaBytes }: SignUpQuotaConfig,
): SignUpQuota {
  const isGranted = signUp === 'open' && quotaBytes === null && signUpQuotaBytes !== 0;
  const readBytes = async (): Promise<number | null> =>
    isGranted ? (signUpQuotaBytes ?? (await defaultSignUpQuotaBytes(blobs))) : null;
  return {
    readBytes,
    async grant(queries, { id, role }) {
      const granted = role === 'admin' ? null : await readBytes();
      if (granted !== null)
        await queries.insertInto('quotas').values({ user_id: id, quota_bytes: granted }).execute();
    },
  };
}
