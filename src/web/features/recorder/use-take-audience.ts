import { useEffect } from 'react';
import type { Share } from '#contract/shares.ts';
import { lostStandingOf, ownerStandings } from '#device/takes/owner-standings.ts';
import { useSession } from '#web/api/session.ts';
import type { OnAir } from '#web/recordings/on-air/on-air.ts';
import { audienceOf, useActiveLinks, type Audience } from '#web/recordings/on-air/use-on-air.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { recorder, useTakeClock } from './recorder.ts';
import { lastLinks } from './take/last-links.ts';
import { takeOf, type Take } from './take/take.ts';

/** Who can hear the take of this page: by the links of its owner or, after their session, those known last. */
export function useTakeAudience({ id, ownerId, progress }: Take): Audience {
  const { user } = useSession();
  const isOwner = user !== null && user.id === ownerId;
  const links = useActiveLinks(true);
  const last = useLastLinks(ownerId);
  useEffect(() => {
    if (isOwner) lastLinks.note(id, ownerId, links);
  }, [isOwner, id, ownerId, links]);
  return audienceOf(isOwner ? links : (last?.links ?? []), id, progress.capturedMs);
}

/** How the running take of another account may be heard; null if nobody can. */
export function useForeignOnAir(ownerId: string): OnAir | null {
  const last = useLastLinks(ownerId);
  const atMs = useTakeClock();
  return last && audienceOf(last.links, last.takeId, atMs).onAir;
}

/**
 * The links known last of an account. Those of an account that is turned off or deleted play nothing, and none plays
 * what the server no longer takes, as after a sign-out.
 */
function useLastLinks(ownerId: string | null): { takeId: string; links: readonly Share[] } | null {
  const last = useStore(lastLinks);
  const take = takeOf(useStore(recorder.everyTake));
  const isArriving = take?.id !== last?.takeId || take?.condition !== 'capability-rejected';
  const standing = lostStandingOf(useStore(ownerStandings), ownerId);
  return last?.ownerId === ownerId && standing === null && isArriving ? last : null;
}
