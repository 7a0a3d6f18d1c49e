import { useRef, useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { TranscriptLine } from '#contract/transcripts-api.ts';
import { MenuButton, type MenuItem } from '#web/ui/overlays/menu-button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import { useShortcuts } from '#web/shortcuts/use-shortcuts.ts';
import { FindInTranscript } from './find-in-transcript.tsx';
import { TranscriptReader } from './transcript-reader.tsx';
import { TranscriptState } from './transcript-state.tsx';
import { useTranscriber, useTranscript, useTranscriptActions } from './use-transcript.ts';
import styles from './transcript.module.css';

export interface TranscriptPanelProps {
  recording: PlayableRecording;
  isEditable: boolean;
}

/** The words of a recording on the server. */
export function TranscriptPanel({ recording, isEditable }: TranscriptPanelProps) {
  const { t } = useLingui();
  const { id, durationMs, language, passages } = recording;
  const transcript = useTranscript(id);
  const transcriber = useTranscriber();
  const actions = useTranscriptActions(id);
  const [shown, setShown] = useState<{ atMs: number } | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const section = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  const hasLines = transcript !== undefined && transcript.lines.length > 0;
  /** Moves the focus into the transcript, and back. */
  const handleToggle = () => {
    const focused = document.activeElement;
    if (section.current?.contains(focused)) {
      if (before.current instanceof HTMLElement) before.current.focus();
      return;
    }
    before.current = focused;
    section.current?.querySelector<HTMLElement>('li a[tabindex="0"], button')?.focus();
  };
  useShortcuts({ 'player.transcript': handleToggle });
  if (transcript === undefined || (transcript.state === 'none' && !isEditable)) return null;
  const isRunning = transcript.state === 'waiting' || transcript.state === 'running';
  const agreement = transcriber?.address == null ? {} : { agreesToAddress: transcriber.address };
  const transcribeAgain = (line: TranscriptLine | null) =>
    void actions.start({
      ...(line === null
        ? {}
        : { fromMs: line.fromMs, toMs: line.toMs, hearsAll: line.cause === 'no-speech' }),
      ...(language === null && transcript.language !== null ? { language: transcript.language } : {}),
      ...agreement,
    });
  const canTranscribe = isEditable && !isRunning && transcriber?.state === 'ready';
  const items: MenuItem[] = [
    ...(canTranscribe
      ? [{ id: 'again', label: t`Transcribe again`, onAction: () => transcribeAgain(null) }]
      : []),
    { id: 'delete', label: t`Delete the transcript`, danger: true, onAction: () => setDeleting(true) },
  ];
  return (
    <section ref={section} aria-label={t`Transcript`} className={styles.panel}>
      <div className={styles.heading}>
        <h2>
          <Trans>Transcript</Trans>
        </h2>
        {transcript.state !== 'none' && (
          <span className={styles.tools}>
            {hasLines && <FindInTranscript recordingId={id} onShow={(atMs) => setShown({ atMs })} />}
            {isEditable && !isRunning && <MenuButton label={t`More for the transcript`} items={items} />}
          </span>
        )}
      </div>
      <TranscriptState
        recordingId={id}
        transcript={transcript}
        transcriber={transcriber}
        language={language}
        durationMs={durationMs}
        actions={isEditable ? actions : null}
      />
      {isDeleting && (
        <ConfirmDialog
          title={<Trans>Delete the transcript?</Trans>}
          action={<Trans>Delete</Trans>}
          onConfirm={() => void actions.remove()}
          onClose={() => setDeleting(false)}
        >
          <Trans>Its words and your corrections are deleted for good. The recording stays.</Trans>
        </ConfirmDialog>
      )}
      {hasLines && (
        <TranscriptReader
          recordingId={id}
          lines={transcript.lines}
          passages={passages}
          actions={isEditable ? actions : null}
          onTranscribe={canTranscribe ? transcribeAgain : undefined}
          shown={shown}
        />
      )}
    </section>
  );
}
