import type { ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { type LostStanding, lostStandingOf, ownerStandings } from '#device/takes/owner-standings.ts';
import { viewer } from '#device/takes/viewer.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';

/**
 * Why the user at this tab, whose session may be lost, can't sign in again; null if they can. Until the sign-in is
 * cancelled, a page with a lost session still shows its user.
 */
export function useTabStanding(): LostStanding | null {
  const { userId, tab } = useStore(viewer);
  const standings = useStore(ownerStandings);
  return lostStandingOf(standings, userId ?? tab.ownerId);
}

/** What became of the account, in place of a request to sign in again. */
export const standingSentences: Readonly<Record<LostStanding, ReactNode>> = {
  deleted: (
    <Trans>
      Your account was deleted. What you recorded with it stays on this device only: save it as a file.
    </Trans>
  ),
  disabled: (
    <Trans>
      Your account is turned off. Recordings stay on this device and upload once an administrator turns it on
      again and you sign in.
    </Trans>
  ),
};
