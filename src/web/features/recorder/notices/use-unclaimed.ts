import { useState } from 'react';
import { minute } from '#base/duration.ts';
import type { User } from '#contract/accounts-api.ts';
import { useSession } from '#web/api/session.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { claims, dismissedClaims } from '#device/takes/claims.ts';
import { isUnowned, type DeviceTake } from '#device/takes/device-take.ts';
import type { DeviceTakesState } from '#device/takes/device-takes-state.ts';
import { deviceTakes } from '#device/takes/device-takes.ts';

/** How long an account counts as new. The device's clock may be off by some minutes. */
const newAccountMs = 15 * minute;

export interface Unclaimed {
  /** Stopped, unowned recordings about which the user has not decided yet. */
  takes: readonly DeviceTake[];
  /**
   * Whether the recordings are most likely the user's: the account is new, and the device shows no sign of another
   * user.
   */
  isLikelyMine: boolean;
  add: () => void;
  leave: () => void;
}

const nothing: Unclaimed = { takes: [], isLikelyMine: false, add: () => undefined, leave: () => undefined };

const isJustCreated = ({ createdAt }: Pick<User, 'createdAt'>, nowMs: number): boolean =>
  Math.abs(nowMs - Date.parse(createdAt)) < newAccountMs;

/** Whether the unowned recordings on this device most likely belong to the user. */
export function areLikelyMine(
  user: Pick<User, 'id' | 'createdAt'>,
  { hasOtherOwners }: Pick<DeviceTakesState, 'hasOtherOwners'>,
  nowMs = Date.now(),
): boolean {
  return isJustCreated(user, nowMs) && !hasOtherOwners && !dismissedClaims.isAnsweredByOthers(user.id);
}

/**
 * The unowned recordings on this device. They may belong to another user, so the signed-in user is asked, once for
 * all of them.
 */
export function useUnclaimed(): Unclaimed {
  const { user } = useSession();
  const claimed = useStore(claims);
  const state = useStore(deviceTakes);
  const [, setAnswered] = useState(0);
  if (!user) return nothing;
  const takes = state.takes.filter(
    (take) => isUnowned(take) && !claimed.has(take.id) && !dismissedClaims.has(user.id, take.id),
  );
  const ids = takes.map(({ id }) => id);
  return {
    takes,
    isLikelyMine: areLikelyMine(user, state),
    add: () => {
      claims.add(ids);
    },
    leave: () => {
      dismissedClaims.add(user.id, ids);
      setAnswered((count) => count + 1);
    },
  };
}
