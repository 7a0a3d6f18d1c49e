import { isRecord, readJson, writeText } from '#device/site-data/text-store.ts';

const key = 'earshot.owner-names';

/** Enough of an address for its owner to recognise it: `a…@example.org`. */
export function maskedName(name: string): string {
  const [first = ''] = name;
  const at = name.lastIndexOf('@');
  return `${first}…${at < 0 ? '' : name.slice(at)}`;
}

function storedNames(): Map<string, string> {
  const stored = readJson('localStorage', key);
  if (!isRecord(stored)) return new Map();
  return new Map(
    Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function save(names: ReadonlyMap<string, string>): void {
  writeText('localStorage', key, names.size === 0 ? null : JSON.stringify(Object.fromEntries(names)));
}

/** The masked address of an account that has takes on this device; null if this device does not know it. */
export const ownerNameOf = (ownerId: string): string | null => storedNames().get(ownerId) ?? null;

/** Remembers the masked address of a user, so that this device can say whose takes it has after a sign-out. */
export function rememberOwnerName(ownerId: string, name: string): void {
  const names = storedNames();
  const masked = maskedName(name);
  if (names.get(ownerId) !== masked) save(names.set(ownerId, masked));
}

/** Forgets the masked addresses of all other users. Called with the owners of the takes on this device. */
export function forgetOtherNames(ownerIds: ReadonlySet<string>): void {
  const names = storedNames();
  const remaining = new Map([...names].filter(([ownerId]) => ownerIds.has(ownerId)));
  if (remaining.size < names.size) save(remaining);
}
