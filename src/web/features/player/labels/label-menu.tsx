import { useRef, useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Download, Upload } from 'lucide-react';
import { titleText } from '#web/recordings/time/title-text.ts';
import { lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { MenuButton, type MenuItem } from '#web/ui/overlays/menu-button.tsx';
import { OpenedPart } from '#web/ui/overlays/opened-part.tsx';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { localNotesOf } from '#web/features/player/notes/local-notes.tsx';
import { useNotes } from '#web/features/player/notes/use-notes.ts';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import { labelsOf, saveLabels, type LabelFormat } from './label-files.ts';
import styles from './labels.module.css';

const ImportDialog = lazyChunk(() => import('./import-dialog.tsx')).component((chunk) => chunk.ImportDialog);

/** Ten thousand markers and two thousand notes need less than this. */
const maxBytes = 64 * 1024 * 1024;

export interface LabelMenuProps {
  recording: PlayableRecording;
  /** Whether labels can be added: the recording is on the server and not in the trash. */
  canAdd: boolean;
}

/** Exports markers and notes to a file and imports them from one. */
export function LabelMenu({ recording, canAdd }: LabelMenuProps) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<Uint8Array | null>(null);
  const isOnServer = recording.state !== 'device';
  const notesThere = useNotes(recording.id, isOnServer);
  const labels = labelsOf(recording.markers, isOnServer ? notesThere : localNotesOf(recording));
  const saveAs = (format: LabelFormat) => () => saveLabels(labels, { title: titleText(recording), format });
  const saving: MenuItem[] = [
    { id: 'vtt', label: t`Save as WebVTT`, icon: <Download />, onAction: saveAs('vtt') },
    { id: 'srt', label: t`Save as SRT`, icon: <Download />, onAction: saveAs('srt') },
    { id: 'txt', label: t`Save as Audacity labels`, icon: <Download />, onAction: saveAs('txt') },
    { id: 'csv', label: t`Save as CSV`, icon: <Download />, onAction: saveAs('csv') },
  ];
  const items: MenuItem[] = [
    ...saving.map((item) => ({ ...item, isDisabled: labels.length === 0 })),
    ...(canAdd
      ? [
          {
            id: 'add',
            label: t`Import markers and notes…`,
            icon: <Upload />,
            onAction: () => input.current?.click(),
          },
        ]
      : []),
  ];
  const handleFile = async (file: File) => {
    if (file.size > maxBytes) showFailure(() => t`This file is too large.`);
    else setFile(new Uint8Array(await file.arrayBuffer()));
  };
  return (
    <>
      <MenuButton label={t`Export or import markers and notes`} items={items} />
      <input
        ref={input}
        type="file"
        accept=".vtt,.srt,.sbv,.txt,.csv,.tsv,text/vtt,text/csv,text/plain"
        aria-label={t`Markers file`}
        tabIndex={-1}
        className={styles.file}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void handleFile(file);
          event.currentTarget.value = '';
        }}
      />
      {file && (
        <OpenedPart onClose={() => setFile(null)}>
          <ImportDialog
            recordingId={recording.id}
            durationMs={recording.durationMs}
            file={file}
            present={labels}
            onClose={() => setFile(null)}
          />
        </OpenedPart>
      )}
    </>
  );
}
