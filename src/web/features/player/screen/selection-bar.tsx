import { Trans, useLingui } from '@lingui/react/macro';
import { Play, Share2, X } from 'lucide-react';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { shortLengthFor } from '#web/i18n/short-length.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import type { SoundSelection } from '#playback/playback-state.ts';
import { selection } from '#web/features/player/engine/selection.ts';
import { rangeFragment } from '#web/features/player/moment.ts';
import { CopyLink } from './copy-link.tsx';
import { playSelection } from '#web/features/player/waveform/steps.ts';
import styles from './selection.module.css';

/** The selection, its length and its actions. Renders nothing without a selection. */
export function SelectionBar({
  recordingId,
  onShare,
}: {
  recordingId: string;
  onShare?: ((span: SoundSelection) => void) | undefined;
}) {
  const { t, i18n } = useLingui();
  const chosen = useStore(selection);
  if (!chosen) return null;
  const length = shortLengthFor(regionalLocale(i18n.locale))(chosen.toMs - chosen.fromMs);
  return (
    <section aria-label={t`Selection`} className={styles.bar}>
      <span className={styles.times}>
        <span dir="ltr">
          <Timecode ms={chosen.fromMs} tenths /> – <Timecode ms={chosen.toMs} tenths />
        </span>
        <strong>{length}</strong>
      </span>
      <span className={styles.actions}>
        <Button variant="plain" icon={<Play aria-hidden />} onPress={playSelection}>
          <Trans>Play selection</Trans>
        </Button>
        {onShare && (
          <IconButton label={t`Share selection`} icon={<Share2 />} onPress={() => onShare(chosen)} />
        )}
        <CopyLink
          recordingId={recordingId}
          label={t`Copy link to selection`}
          done={() => t`Copied. Only you can open it.`}
          action={onShare && { label: () => t`Share selection`, onAction: () => onShare(chosen) }}
          fragment={() => rangeFragment(chosen)}
        />
        <IconButton
          label={t`Clear selection`}
          shortcut="Esc"
          icon={<X />}
          onPress={() => selection.set(null)}
        />
      </span>
    </section>
  );
}
