import { Play } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { playOnOpen } from '#web/recordings/play-on-open.ts';
import { LinkButton, type LinkButtonProps } from '#web/ui/controls/link-button.tsx';
import { useTake } from './recorder.ts';
import { isInProgress } from './take/take.ts';

/**
 * Opens the page of a recording and plays it. While this page records it only opens, because the microphone would
 * record the sound.
 */
export function PlayLink({ id, variant }: { id: string } & Pick<LinkButtonProps, 'variant'>) {
  const isRecording = isInProgress(useTake());
  return (
    <LinkButton
      href={`/recordings/${id}`}
      variant={variant}
      icon={<Play aria-hidden />}
      state={isRecording ? undefined : playOnOpen}
    >
      <Trans>Play</Trans>
    </LinkButton>
  );
}
