import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { transcriptFile, type TranscriptFormat } from '#base/transcripts/transcript-file.ts';
import { linesWithin } from '#base/transcripts/line.ts';
import type { TranscriptLine } from '#contract/transcripts-api.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { fileNameOf, saveFile } from '#web/ui/dom/save-file.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { OnlySelection } from '#web/features/player/download/only-selection.tsx';
import { selection } from '#web/features/player/engine/selection.ts';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import { isMutedLine } from './muted-line.ts';

const files: Readonly<Record<TranscriptFormat, { extension: string; mediaType: string }>> = {
  txt: { extension: 'txt', mediaType: 'text/plain' },
  'timed-txt': { extension: 'txt', mediaType: 'text/plain' },
  srt: { extension: 'srt', mediaType: 'application/x-subrip' },
  vtt: { extension: 'vtt', mediaType: 'text/vtt' },
};

export interface SaveDialogProps {
  recording: PlayableRecording;
  lines: readonly TranscriptLine[];
  onClose: () => void;
}

/** Saves a transcript as a file. What listeners don't hear is left out unless the user includes it. */
export function SaveDialog({ recording, lines, onClose }: SaveDialogProps) {
  const { t } = useLingui();
  const { passages } = recording;
  const [format, setFormat] = useState<TranscriptFormat>('txt');
  const [includesMuted, setIncludesMuted] = useState(false);
  const chosen = useStore(selection);
  const [isPart, setPart] = useState(chosen !== null);
  const hasMuted = lines.some((line) => isMutedLine(line, passages));
  const handleSave = () => {
    const heard = includesMuted ? lines : lines.filter((line) => !isMutedLine(line, passages));
    const saved = chosen !== null && isPart ? linesWithin(heard, chosen) : heard;
    const { extension, mediaType } = files[format];
    saveFile(
      new Blob([transcriptFile(saved, format)], { type: `${mediaType};charset=utf-8` }),
      fileNameOf(titleText(recording), extension),
    );
    onClose();
  };
  return (
    <FormDialog title={<Trans>Save transcript</Trans>} onSubmit={handleSave} onClose={onClose}>
      <Select
        label={t`File type`}
        value={format}
        options={[
          { value: 'txt', label: t`Text` },
          { value: 'timed-txt', label: t`Text with times` },
          { value: 'srt', label: t`Subtitles (SRT)` },
          { value: 'vtt', label: t`Web subtitles (VTT)` },
        ]}
        onChange={setFormat}
      />
      {chosen !== null && (
        <OnlySelection chosen={chosen} isPart={isPart} isDisabled={false} onChange={setPart} />
      )}
      {hasMuted && (
        <Switch isSelected={includesMuted} onChange={setIncludesMuted}>
          <Trans>Include what is muted for listeners</Trans>
        </Switch>
      )}
    </FormDialog>
  );
}
