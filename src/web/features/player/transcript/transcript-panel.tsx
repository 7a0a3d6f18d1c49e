import { useRef, useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { TranscriberState, TranscriptLine } from '#contract/transcripts-api.ts';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { MenuButton, type MenuItem } from '#web/ui/overlays/menu-button.tsx';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import { useShortcuts } from '#web/shortcuts/use-shortcuts.ts';
import { FindInTranscript } from './find-in-transcript.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { TranscriptReader } from './transcript-reader.tsx';
import { agreementTo, TranscriptState } from './transcript-state.tsx';
import {
  type KnownTranscript,
  type StartBody,
  useTranscriber,
  useTranscript,
  useTranscriptActions,
} from './use-transcript.ts';
import styles from './transcript.module.css';

export interface TranscriptPanelProps {
  recording: PlayableRecording;
  isEditable: boolean;
}

/** The words of a recording on the server. */
export function TranscriptPanel({ recording, isEditable }: TranscriptPanelProps) {
  const transcript = useTranscript(recording.id);
  const transcriber = useTranscriber();
  if (transcript === undefined) return <Loading />;
  const canStart = isEditable && transcriber !== undefined && transcriber.state !== 'off';
  if (!hasContent(transcript) && !canStart) return null;
  return (
    <Panel recording={recording} isEditable={isEditable} transcript={transcript} transcriber={transcriber} />
  );
}

/** Reserves the height of a short panel until the transcript is read. */
function Loading() {
  return (
    <div className={styles.panel}>
      <h2>
        <Trans>Transcript</Trans>
      </h2>
    </div>
  );
}

const isActive = ({ state }: KnownTranscript): boolean => state === 'waiting' || state === 'running';

/** Whether it was ever transcribed, or a user wrote lines. */
const hasContent = ({ state, lines }: KnownTranscript): boolean => state !== 'none' || lines.length > 0;

/** Moves the focus into a section, and back to where it was. */
function useFocusToggle() {
  const section = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  const toggle = () => {
    const focused = document.activeElement;
    if (section.current?.contains(focused)) {
      if (before.current instanceof HTMLElement) before.current.focus();
      return;
    }
    before.current = focused;
    const entry =
      section.current?.querySelector('li a[tabindex="0"]') ?? section.current?.querySelector('button');
    if (entry instanceof HTMLElement) entry.focus();
  };
  useShortcuts({ 'player.transcript': toggle });
  return section;
}

/** What a new transcription of a line, or of everything, is told. */
const againOf = (line: TranscriptLine | null): StartBody =>
  line === null ? {} : { fromMs: line.fromMs, toMs: line.toMs, hearsAll: line.cause === 'no-speech' };

/** The language that is known of the speech. */
const languageOf = (
  { language }: PlayableRecording,
  transcript: KnownTranscript,
): Pick<StartBody, 'language'> =>
  language === null && transcript.language !== null ? { language: transcript.language } : {};

function Panel({
  recording,
  isEditable,
  transcript,
  transcriber,
}: TranscriptPanelProps & { transcript: KnownTranscript; transcriber: TranscriberState | undefined }) {
  const { t } = useLingui();
  const { id, durationMs, language, passages } = recording;
  const actions = useTranscriptActions(id);
  const [shown, setShown] = useState<{ atMs: number } | null>(null);
  const section = useFocusToggle();
  const { lines } = transcript;
  const transcribeAgain = (line: TranscriptLine | null) =>
    void actions.start({
      ...againOf(line),
      ...languageOf(recording, transcript),
      ...agreementTo(transcriber),
    });
  const isAtRest = isEditable && !isActive(transcript);
  const canTranscribe = isAtRest && transcriber?.state === 'ready';
  return (
    <section ref={section} aria-label={t`Transcript`} className={styles.panel}>
      <div className={styles.heading}>
        <h2>
          <Trans>Transcript</Trans>
        </h2>
        <span className={styles.tools}>
          {lines.length > 0 && <FindInTranscript recordingId={id} onShow={(atMs) => setShown({ atMs })} />}
          {isAtRest && hasContent(transcript) && (
            <PanelMenu
              recording={recording}
              lines={lines}
              onAgain={canTranscribe ? () => transcribeAgain(null) : undefined}
              onDelete={() => void actions.remove()}
            />
          )}
        </span>
      </div>
      <TranscriptState
        transcript={transcript}
        transcriber={transcriber}
        language={language}
        durationMs={durationMs}
        actions={isEditable ? actions : null}
      />
      {lines.length > 0 && (
        <TranscriptReader
          recordingId={id}
          lines={lines}
          passages={passages}
          actions={isEditable ? actions : null}
          onTranscribe={canTranscribe ? transcribeAgain : undefined}
          shown={shown}
        />
      )}
    </section>
  );
}

interface PanelMenuProps {
  recording: PlayableRecording;
  lines: readonly TranscriptLine[];
  onAgain: (() => void) | undefined;
  onDelete: () => void;
}

function PanelMenu({ recording, lines, onAgain, onDelete }: PanelMenuProps) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'save' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const items: MenuItem[] = [
    ...(lines.length > 0
      ? [{ id: 'save', label: t`Save transcript…`, onAction: () => setOpen('save') }]
      : []),
    ...(onAgain ? [{ id: 'again', label: t`Transcribe again`, onAction: onAgain }] : []),
    { id: 'delete', label: t`Delete the transcript`, danger: true, onAction: () => setOpen('delete') },
  ];
  return (
    <>
      <MenuButton label={t`More for the transcript`} items={items} />
      {open === 'save' && <SaveDialog recording={recording} lines={lines} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={<Trans>Delete the transcript?</Trans>}
          action={<Trans>Delete</Trans>}
          onConfirm={onDelete}
          onClose={close}
        >
          <Trans>Its words and your corrections are permanently deleted. The recording stays.</Trans>
        </ConfirmDialog>
      )}
    </>
  );
}
