import { useEffect, useEffectEvent } from 'react';
import { useLingui } from '@lingui/react/macro';
import { readText, writeText } from '#device/site-data/text-store.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';

/** Where earlier versions stored the keys that a user chose instead of the default ones: `{"player.mark":"x"}`. */
const storedName = 'keys';

/**
 * Removes the keys that a user chose in an earlier version.
 * @returns whether there were any; false if they cannot be removed, because the notice would then appear at each visit
 */
export function dropOwnKeys(): boolean {
  const stored = readText('localStorage', storedName);
  return stored !== null && writeText('localStorage', storedName, null) && stored !== '{}';
}

/** Says once, to those who had keys of their own, that the default ones work again. */
export function useOwnKeysToast(): void {
  const { t } = useLingui();
  const show = useEffectEvent(() =>
    showToast({
      message: () =>
        t`Keyboard shortcuts can no longer be changed. The default shortcuts replaced the ones you chose.`,
    }),
  );
  useEffect(() => {
    if (dropOwnKeys()) show();
  }, []);
}
