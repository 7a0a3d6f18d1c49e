import { createStore, type Store } from '#base/store.ts';
import { isRecord, readJson, writeText } from '#device/site-data/text-store.ts';

/** `deleted`: the account is gone for good. `disabled`: an administrator turned it off, and may turn it on. */
export type LostStanding = 'deleted' | 'disabled';

/** An account that can't be signed in to. */
export interface OwnerStanding {
  standing: LostStanding;
  /** When this device heard of it. */
  sinceMs: number;
}

/** The accounts with takes on this device that can't be signed in to, by id. All others are missing. */
export type OwnerStandings = ReadonlyMap<string, OwnerStanding>;

const key = 'earshot.owner-standings';

const isStanding = (value: unknown): value is OwnerStanding =>
  isRecord(value) &&
  (value['standing'] === 'deleted' || value['standing'] === 'disabled') &&
  typeof value['sinceMs'] === 'number';

function stored(): OwnerStandings {
  const value = readJson('localStorage', key);
  if (!isRecord(value)) return new Map();
  return new Map(
    Object.entries(value).filter((entry): entry is [string, OwnerStanding] => isStanding(entry[1])),
  );
}

const store = createStore<OwnerStandings>(stored());

/** What the server last said of the owners of takes on this device. */
export const ownerStandings: Store<OwnerStandings> = store;

export const lostStandingOf = (standings: OwnerStandings, ownerId: string | null): LostStanding | null =>
  ownerId === null ? null : (standings.get(ownerId)?.standing ?? null);

function save(standings: OwnerStandings): void {
  writeText('localStorage', key, standings.size === 0 ? null : JSON.stringify(Object.fromEntries(standings)));
  store.set(standings);
}

/**
 * Remembers what the server says of an account; null if it can be signed in to. The time is that of the first answer,
 * also of another tab.
 */
export function setOwnerStanding(ownerId: string, standing: LostStanding | null, nowMs: number): void {
  const known = new Map([...store.getSnapshot(), ...stored()]);
  if ((known.get(ownerId)?.standing ?? null) === standing) {
    if (store.getSnapshot().get(ownerId)?.standing !== standing) store.set(known);
    return;
  }
  if (standing === null) known.delete(ownerId);
  else known.set(ownerId, { standing, sinceMs: nowMs });
  save(known);
}

/** Forgets all other accounts. Called with the owners of the takes on this device. */
export function forgetOtherStandings(ownerIds: ReadonlySet<string>): void {
  const known = store.getSnapshot();
  const remaining = new Map([...known].filter(([ownerId]) => ownerIds.has(ownerId)));
  if (remaining.size < known.size) save(remaining);
}
