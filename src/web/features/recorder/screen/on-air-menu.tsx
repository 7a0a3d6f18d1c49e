import { useState } from 'react';
import { Ban, EarOff, Radio, Share2 } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { MenuButton, type MenuItem } from '#web/ui/overlays/menu-button.tsx';
import { StopSharingDialog } from '#web/recordings/on-air/stop-sharing-dialog.tsx';
import type { Audience } from '#web/recordings/on-air/use-on-air.ts';
import { useOnAirSign } from '#web/recordings/on-air/use-on-air-text.ts';
import { isMuted, listenerMuteOf, toggleListenerMute } from '#web/features/recorder/labels/listener-mute.ts';
import type { Take } from '#web/features/recorder/take/take.ts';
import { takeSharing } from './take-sharing.ts';
import styles from './take-bar.module.css';

interface OnAirMenuProps {
  take: Take;
  audience: Audience;
}

/** What the button says, from the most urgent: muted, on air, or played later. */
function useSign({ take, audience: { onAir } }: OnAirMenuProps) {
  const { t } = useLingui();
  const text = useOnAirSign(onAir);
  if (isMuted(listenerMuteOf(take.passages)))
    return { label: t`Muted for listeners`, word: t`Muted for listeners`, icon: <EarOff /> };
  if (!text) return { label: t`Links play this recording once it’s finished.`, word: null, icon: <Share2 /> };
  return { label: [text.name, text.who, ...text.details].join(', '), word: text.name, icon: <Radio /> };
}

/** In the bar of a running take: who can hear it, and a menu to mute it or to stop sharing. */
export function OnAirMenu({ take, audience }: OnAirMenuProps) {
  const { t } = useLingui();
  const [isAsked, setAsked] = useState(false);
  const share = useStore(takeSharing);
  const { label, word, icon } = useSign({ take, audience });
  const isQuiet = isMuted(listenerMuteOf(take.passages));
  const items: MenuItem[] = [
    {
      id: 'mute',
      label: isQuiet ? t`Unmute for listeners` : t`Mute for listeners`,
      icon: <EarOff />,
      onAction: () => toggleListenerMute(take),
    },
  ];
  if (share) items.push({ id: 'links', label: t`Links`, icon: <Share2 />, onAction: share });
  if (audience.isShared)
    items.push({
      id: 'stop',
      label: t`Stop sharing`,
      icon: <Ban />,
      danger: true,
      onAction: () => setAsked(true),
    });
  return (
    <>
      <MenuButton
        label={label}
        icon={icon}
        items={items}
        className={word === null ? undefined : styles.onAir}
      >
        {word !== null && <span className={styles.onAirWord}>{word}</span>}
      </MenuButton>
      {isAsked && <StopSharingDialog recordingId={take.id} onClose={() => setAsked(false)} />}
    </>
  );
}
