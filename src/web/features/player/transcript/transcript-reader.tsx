import { useEffect, useMemo, useRef, useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowDown } from 'lucide-react';
import type { Passage } from '#contract/passages-api.ts';
import type { TranscriptLine } from '#contract/transcripts-api.ts';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useScrolledRows } from '#web/ui/lists/use-scrolled-rows.ts';
import { isMutedLine } from './muted-line.ts';
import { useSounding } from './sounding-word.ts';
import { TranscriptLineItem } from './transcript-line-item.tsx';
import { keyOfLine, useLineEditing } from './use-line-editing.ts';
import { useLineKeys } from './use-line-keys.ts';
import type { TranscriptActions } from './use-transcript.ts';
import styles from './transcript.module.css';

export interface TranscriptReaderProps {
  recordingId: string;
  lines: readonly TranscriptLine[];
  passages: readonly Passage[];
  actions: Pick<TranscriptActions, 'correct' | 'removeCorrection'> | null;
  onTranscribe: ((line: TranscriptLine) => void) | undefined;
  /** A moment whose line is shown, such as that of a search hit; a new object for each request. */
  shown: { atMs: number } | null;
}

/** The height of a row with one line. */
const rowPx = 44;

/** Follows the sound until the user scrolls away from it. */
function useFollowing(lineIndex: number, scrollTo: (index: number) => void) {
  const [isFollowing, setFollowing] = useState(true);
  const latestScrollTo = useRef(scrollTo);
  useEffect(() => {
    latestScrollTo.current = scrollTo;
  });
  useEffect(() => {
    if (isFollowing && lineIndex >= 0) latestScrollTo.current(lineIndex);
  }, [isFollowing, lineIndex]);
  return { isFollowing, follow: () => setFollowing(true), leave: () => setFollowing(false) };
}

/** Scrolls to the line of a moment each time that one is given. */
function useShownMoment(shown: TranscriptReaderProps['shown'], scrollToMs: (atMs: number) => void): void {
  const latest = useRef(scrollToMs);
  useEffect(() => {
    latest.current = scrollToMs;
  });
  useEffect(() => {
    if (shown !== null) latest.current(shown.atMs);
  }, [shown]);
}

/** The lines of a transcript. The word that sounds is marked; a press on a word plays from it. */
export function TranscriptReader({
  recordingId,
  lines,
  passages,
  actions,
  onTranscribe,
  shown,
}: TranscriptReaderProps) {
  const { t } = useLingui();
  const list = useRef<HTMLOListElement>(null);
  const ids = useMemo(() => lines.map(keyOfLine), [lines]);
  const sounding = useSounding(recordingId, lines);
  const focusedKey = useRef<string | null>(null);
  const editedKey = useRef<string | null>(null);
  const rows = useScrolledRows({
    list,
    ids,
    rowPx,
    isRetained: (id) => id === focusedKey.current || id === editedKey.current,
  });
  const { isFollowing, follow, leave } = useFollowing(sounding.line, rows.scrollTo);
  useShownMoment(shown, (atMs) => {
    leave();
    const index = lines.findLastIndex(({ fromMs }) => fromMs <= atMs);
    if (index >= 0) rows.scrollTo(index);
  });
  const editing = useLineEditing(recordingId, {
    lines,
    actions,
    focusLine: (index) => keys.focusLine(index),
  });
  const keys = useLineKeys(lines, { elementOf: rows.elementOf, onEdit: editing.open });
  useEffect(() => {
    editedKey.current = editing.editedKey;
  });
  return (
    <div className={styles.reader}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notes what the user scrolls and which row has the focus */}
      <ol
        ref={list}
        aria-label={t`Transcript`}
        className={classes(styles.list, rows.className)}
        style={rows.style}
        onWheel={leave}
        onTouchMove={leave}
        onFocus={({ target }) => {
          focusedKey.current = ids[Number(target.closest('li')?.dataset['index'])] ?? null;
        }}
        onKeyDown={leave}
      >
        {rows.rows.map(({ index, style }) => {
          const line = lines[index];
          return (
            line && (
              <TranscriptLineItem
                key={keyOfLine(line)}
                ref={rows.measure}
                place={{ index, count: lines.length }}
                style={style}
                line={line}
                soundingWord={index === sounding.line ? sounding.word : null}
                chosenWord={keys.chosen?.line === index ? keys.chosen.word : null}
                isEntry={index === keys.entry}
                isMuted={isMutedLine(line, passages)}
                onKey={keys.onKey}
                onEdit={editing.open}
                onTranscribe={onTranscribe}
                editor={editing.editorOf(line, index)}
              />
            )
          );
        })}
      </ol>
      {!isFollowing && sounding.line >= 0 && (
        <Button className={styles.back} icon={<ArrowDown aria-hidden />} onPress={follow}>
          <Trans>Back to the sound</Trans>
        </Button>
      )}
    </div>
  );
}
