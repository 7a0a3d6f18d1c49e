import { useEffect } from 'react';
import { lostStandingOf, ownerStandings } from '#device/takes/owner-standings.ts';
import { useSession } from '#web/api/session.ts';
import type { OnAir } from '#web/recordings/on-air/on-air.ts';
import { type Audience, useAudience } from '#web/recordings/on-air/use-on-air.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { lastAudience } from './last-audience.ts';
import type { Take } from './take.ts';

/** Who can hear the take of this page: by the links of its owner or, after their session, as was known last. */
export function useTakeAudience({ id, ownerId, progress }: Take): Audience {
  const { user } = useSession();
  const isOwner = user !== null && user.id === ownerId;
  const audience = useAudience(id, progress.capturedMs);
  const last = useStore(lastAudience);
  useEffect(() => {
    if (isOwner) lastAudience.note(id, ownerId, audience);
  }, [isOwner, id, ownerId, audience]);
  return !isOwner && last?.takeId === id ? last.audience : audience;
}

/**
 * How the running take of another account may be heard; null if nobody could when its owner was signed in here. The
 * links of an account that is turned off or deleted play nothing.
 */
export function useForeignOnAir(ownerId: string): OnAir | null {
  const last = useStore(lastAudience);
  const standing = lostStandingOf(useStore(ownerStandings), ownerId);
  return last?.ownerId === ownerId && standing === null ? last.audience.onAir : null;
}
