import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { DownloadFormat } from '#contract/exports-api.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { UnreachableNoticeFor } from '#web/request-states/unreachable-notice.tsx';
import type { SoundSelection } from '#playback/playback-state.ts';
import { selection } from '#web/features/player/engine/selection.ts';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import type { DownloadProps } from './download-props.ts';
import { downloadUrlOf, saveAs, type ConversionTarget } from './download-links.ts';
import { formatsKey, useAvailableFormats } from './use-available-formats.ts';
import { useConversion, type ConversionState } from './use-conversion.ts';
import { OnlySelection } from './only-selection.tsx';
import styles from './download.module.css';

/** Not translated: the formats have the same names in every language. */
const formatNames: Record<ConversionTarget, string> = {
  mp3: 'MP3',
  m4a: 'M4A (AAC)',
  opus: 'Opus (Ogg)',
  flac: 'FLAC',
  wav: 'WAV',
};

/** The original can only be downloaded whole, so a part is always converted. */
const wantedOf = (
  format: DownloadFormat,
  { part, formats }: { part: SoundSelection | null; formats: readonly ConversionTarget[] },
): DownloadFormat => (part !== null && format === 'original' ? (formats[0] ?? 'wav') : format);

/** Whether the file is made on the server. What is played from this device, the server doesn't have, or not all of it. */
const isFromServer = ({ audioFile }: PlayableRecording): boolean => audioFile === null;

/** The URL of a file that needs no conversion on this device. */
const urlFor = (recording: PlayableRecording, wanted: DownloadFormat, part: SoundSelection | null): string =>
  isFromServer(recording) ? downloadUrlOf(recording.id, wanted, part) : recording.audioUrl;

/**
 * Chooses format and part, then downloads the file. The server converts it if it can, otherwise this device does.
 */
export function DownloadDialogContent({ recording, onClose }: DownloadProps & { onClose: () => void }) {
  const { t } = useLingui();
  const chosen = useStore(selection);
  const [format, setFormat] = useState<DownloadFormat>('original');
  const [isPart, setPart] = useState(chosen !== null);
  const { formats, isHere, isPending } = useAvailableFormats({
    isFromServer: isFromServer(recording),
    channels: recording.format.channels,
  });
  const part = isPart ? chosen : null;
  const wanted = wantedOf(format, { part, formats });
  const isUnknown = wanted !== 'original' && isPending;
  const conversion = useConversion(recording, onClose);
  const isBusy = conversion.progress !== null;

  const options = [
    ...(part === null ? [{ value: 'original' as const, label: t`Original (as recorded)` }] : []),
    ...formats.map((value) => ({ value, label: formatNames[value] })),
  ];
  const download = () => {
    if (wanted !== 'original' && isHere) return conversion.start(wanted, part);
    saveAs(wanted, { url: urlFor(recording, wanted, part), recording });
    onClose();
  };
  const close = () => {
    conversion.cancel();
    onClose();
  };
  return (
    <Dialog
      title={<Trans>Download recording</Trans>}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      size="s"
    >
      <div className={styles.form}>
        <UnreachableNoticeFor of={formatsKey} />
        <Select
          label={t({ message: 'Format', context: 'of a file' })}
          value={wanted}
          onChange={setFormat}
          options={options}
          isDisabled={isBusy}
        />
        {chosen && <OnlySelection chosen={chosen} isPart={isPart} isDisabled={isBusy} onChange={setPart} />}
        <ConversionLine conversion={conversion} isAhead={isHere && wanted !== 'original'} />
        <div className={styles.buttons}>
          <Button variant="plain" onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" onPress={download} isPending={isBusy || isUnknown}>
            <Trans>Download</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Progress of a conversion on this device, or the hint that there will be one. */
function ConversionLine({
  conversion: { progress, hasFailed },
  isAhead,
}: {
  conversion: ConversionState;
  isAhead: boolean;
}) {
  const { t } = useLingui();
  if (progress !== null) return <ProgressBar label={t`Converting on this device`} done={progress} all={1} />;
  return (
    <>
      {isAhead && (
        <p className={styles.hint}>
          <Trans>This recording is converted on your device. Long recordings take a while.</Trans>
        </p>
      )}
      {hasFailed && (
        <Notice tone="warn" role="alert">
          <Trans>This recording couldn’t be converted. You can still download the original.</Trans>
        </Notice>
      )}
    </>
  );
}
