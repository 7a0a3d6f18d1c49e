import { second } from '#base/duration.ts';
import {
  type LostStanding,
  lostStandingOf,
  ownerStandings,
  setOwnerStanding,
} from '#device/takes/owner-standings.ts';
import { listTakes } from '#device/takes/takes-store.ts';
import { viewer } from '#device/takes/viewer.ts';
import { authEvents } from '#web/api/auth-events.ts';
import { call } from '#web/api/call.ts';
import { connection, isUnreachable } from '#web/api/connection/connection.ts';
import { session } from '#web/api/session.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';

/** An account that is deleted or turned off changes rarely, and each read of the session asks. */
const minBetweenMs = 20 * second;

/**
 * Asks the server whether an account can still be signed in to, and remembers the answer.
 * @throws ApiError if the server can't be reached
 */
export async function askOwnerStanding(ownerId: string): Promise<LostStanding | null> {
  const { standing } = await call('getAccountStanding', { params: { userId: ownerId } });
  // A server that doesn't know the account, as after a restore, says nothing about it.
  if (standing === 'unknown') return lostStandingOf(ownerStandings.getSnapshot(), ownerId);
  const lost = standing === 'active' ? null : standing;
  setOwnerStanding(ownerId, lost, Date.now());
  return lost;
}

/**
 * The accounts with takes here, and the one of this tab. A user whose session works has an account, so that it is only
 * asked about after the session was lost, or to correct an earlier answer.
 */
async function ownersToAsk(isLost: boolean): Promise<ReadonlySet<string>> {
  const userId = serverRegistry.userId();
  const owners = new Set((await listTakes().catch(() => [])).map(({ ownerId }) => ownerId));
  owners.add(viewer.getSnapshot().tab.ownerId);
  if (!isLost && lostStandingOf(ownerStandings.getSnapshot(), userId) === null) owners.delete(userId);
  return new Set([...owners].filter((ownerId) => ownerId !== null));
}

async function askAll(isLost: boolean): Promise<void> {
  for (const ownerId of await ownersToAsk(isLost)) await askOwnerStanding(ownerId);
}

let isFollowing = false;

/**
 * Asks about the owners of takes on this device now, and whenever the session was read or lost, or the connection
 * returns.
 */
export function followOwnerStandings(): void {
  if (isFollowing) return;
  isFollowing = true;
  let asking: Promise<void> = Promise.resolve();
  let askedFor = '';
  let askedAtMs = 0;
  const ask = (isLost: boolean) => {
    const { status, user } = session.getSnapshot();
    if (status === 'unknown' || isUnreachable(connection.getSnapshot())) return;
    const about = `${user?.id ?? ''} ${isLost}`;
    if (about === askedFor && performance.now() - askedAtMs < minBetweenMs) return;
    [askedFor, askedAtMs] = [about, performance.now()];
    asking = asking
      .then(() => askAll(isLost))
      .catch(() => {
        askedFor = '';
      });
  };
  const askUnlost = () => ask(false);
  session.subscribe(askUnlost);
  connection.subscribe(askUnlost);
  // The page still shows the user until the sign-in is cancelled.
  authEvents.on('login-required', () => ask(true));
  ask(false);
}
