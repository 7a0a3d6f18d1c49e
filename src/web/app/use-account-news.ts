import { useEffect, useEffectEvent } from 'react';
import { useLingui } from '@lingui/react/macro';
import { authEvents } from '#web/api/auth-events.ts';
import { session } from '#web/api/session.ts';
import { iso } from '#web/i18n/iso.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';

/** Says what happened to the account behind the person's back: another one signed in, or an action was not allowed. */
export function useAccountNews(): void {
  const { t } = useLingui();
  const handleOther = useEffectEvent(() => {
    const name = iso(session.getSnapshot().user?.displayName ?? '');
    showToast({ message: t`${name} is signed in here now. Earlier recordings stay with their owner.` });
  });
  const handleForbidden = useEffectEvent(() => showToast({ message: t`Your account may not do that. Nothing was changed.`, tone: 'danger' }));
  useEffect(() => {
    const undo = [authEvents.on('principal-changed', () => handleOther()), authEvents.on('forbidden', () => handleForbidden())];
    return () => { for (const stop of undo) stop(); };
  }, []);
}
