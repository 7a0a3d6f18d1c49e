import { useEffect, useEffectEvent, useRef } from 'react';
import { useLingui } from '@lingui/react/macro';
import { navigate } from 'wouter/use-browser-location';
import { openAndPlay } from '#web/recordings/play-on-open.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import type { TakeState } from '#web/features/recorder/take/take.ts';
import { stoppedMessage } from './announce-take.ts';

/**
 * Shows a toast when a take is stopped on another screen: its length, where it is saved, and what the user can do
 * next.
 */
export function useStoppedToast(state: TakeState): { noteStop: () => void } {
  const { t } = useLingui();
  const before = useRef(state.status);
  const isByKey = useRef(false);
  const show = useEffectEvent(() => {
    if (state.status !== 'stopped' || state.ending !== 'asked') return;
    const { id } = state.take;
    showToast({
      message: () => stoppedMessage(state.take),
      takesFocus: isByKey.current,
      action: {
        label: () => t`Play`,
        onAction: () => openAndPlay(id),
      },
      secondAction: {
        label: () => t`Rename`,
        onAction: () => {
          navigate('/');
        },
      },
    });
  });
  useEffect(() => {
    if (before.current === 'stopping' && state.status === 'stopped') show();
    before.current = state.status;
  }, [state.status]);
  return {
    noteStop: () => {
      isByKey.current = document.activeElement?.matches(':focus-visible') ?? false;
    },
  };
}
