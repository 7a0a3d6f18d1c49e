import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowDown } from 'lucide-react';
import { newId } from '#device/new-id.ts';
import type { Passage } from '#contract/passages-api.ts';
import type { TranscriptLine } from '#contract/transcripts-api.ts';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { announce } from '#web/ui/feedback/announce.ts';
import { useScrolledRows } from '#web/ui/lists/use-scrolled-rows.ts';
import { wordsOfLine } from '#base/transcripts/line.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import type { AfterEdit, LineEditorProps } from './line-editor.tsx';
import { lineDrafts } from './line-drafts.ts';
import { useSounding } from './sounding-word.ts';
import { TranscriptLineItem } from './transcript-line-item.tsx';
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

const keyOf = ({ fromMs, correction }: TranscriptLine): string => correction?.id ?? String(fromMs);

const isMuted = (line: TranscriptLine, passages: readonly Passage[]): boolean =>
  passages.some(({ fromMs, toMs }) => fromMs < line.toMs && (toMs ?? Infinity) > line.fromMs);

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  altKey || ctrlKey || metaKey || shiftKey;

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
  return { isFollowing, setFollowing };
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
  const ids = useMemo(() => lines.map(keyOf), [lines]);
  const sounding = useSounding(recordingId, lines);
  const [entry, setEntry] = useState(0);
  const [word, setWord] = useState<{ line: number; word: number } | null>(null);
  const [editedId, setEditedId] = useState<string | null>(null);
  const focusedId = useRef<string | null>(null);
  const rows = useScrolledRows({
    list,
    ids,
    rowPx,
    isRetained: (id) => id === focusedId.current || id === editedId,
  });
  const { isFollowing, setFollowing } = useFollowing(sounding.line, rows.scrollTo);
  const latestRows = useRef(rows);
  useEffect(() => {
    latestRows.current = rows;
  });
  const latestLines = useRef(lines);
  useEffect(() => {
    latestLines.current = lines;
  });
  useEffect(() => {
    if (shown === null) return;
    const index = latestLines.current.findLastIndex(({ fromMs }) => fromMs <= shown.atMs);
    if (index >= 0) latestRows.current.scrollTo(index);
  }, [shown]);

  const focusLine = useCallback((index: number) => {
    const link = latestRows.current.elementOf(index)?.querySelector('a');
    if (!(link instanceof HTMLElement)) return;
    setEntry(index);
    setWord(null);
    link.focus();
  }, []);
  const openEditor = useCallback((index: number) => {
    const line = latestLines.current[index];
    if (line) setEditedId(keyOf(line));
  }, []);
  const handleEdit = actions === null ? undefined : openEditor;

  const moveWord = (index: number, by: number) => {
    const line = lines[index];
    if (!line || line.times.length === 0) return;
    const from = word?.line === index ? word.word : by > 0 ? -1 : line.times.length;
    const next = Math.min(line.times.length - 1, Math.max(0, from + by));
    setWord({ line: index, word: next });
    announce(wordsOfLine(line)[next]?.text ?? '');
  };
  /** Arrows move between lines and words, Enter plays from the word, E corrects the line. */
  const handleKey = (event: KeyboardEvent<HTMLElement>, index: number) => {
    if (hasModifier(event)) return;
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
    const backward = isRightToLeft ? 'ArrowRight' : 'ArrowLeft';
    const startMs = word?.line === index ? lines[index]?.times[word.word]?.[0] : undefined;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focusLine(index + 1),
      ArrowUp: () => focusLine(index - 1),
      Home: () => focusLine(0),
      End: () => focusLine(lines.length - 1),
      [forward]: () => moveWord(index, 1),
      [backward]: () => moveWord(index, -1),
      ...(startMs === undefined ? {} : { Enter: () => player.seek(startMs) }),
      ...(handleEdit === undefined ? {} : { e: () => handleEdit(index) }),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  const close = (index: number, after: AfterEdit) => {
    const next = after === 'stay' ? index : after === 'next' ? index + 1 : index - 1;
    const line = after === 'stay' ? undefined : lines[next];
    setEditedId(line === undefined ? null : keyOf(line));
    if (line === undefined) requestAnimationFrame(() => focusLine(Math.min(index, lines.length - 1)));
  };
  const editorOf = (line: TranscriptLine, index: number): LineEditorProps | null => {
    if (actions === null || keyOf(line) !== editedId) return null;
    const { fromMs, toMs, correction } = line;
    const id = `${recordingId} ${keyOf(line)}`;
    return {
      line,
      draft: lineDrafts.get(id),
      onDraft: (text) => lineDrafts.set(id, text),
      onClose: (after) => close(index, after),
      onSave: (text) =>
        actions.correct({
          id: correction?.id ?? newId(),
          fromMs,
          toMs,
          text,
          revision: correction?.revision ?? 0,
        }),
      onRestore: correction === null ? undefined : () => actions.removeCorrection(correction.id),
    };
  };

  return (
    <div className={styles.reader}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notes what the user scrolls and which row has the focus */}
      <ol
        ref={list}
        aria-label={t`Transcript`}
        className={classes(styles.list, rows.isWindowed && styles.windowed)}
        style={rows.style}
        onWheel={() => setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
        onFocus={({ target }) => {
          focusedId.current = ids[Number(target.closest('li')?.dataset['index'])] ?? null;
          setFollowing(false);
        }}
      >
        {rows.rows.map(({ index, style }) => {
          const line = lines[index];
          return (
            line && (
              <TranscriptLineItem
                key={keyOf(line)}
                ref={rows.isWindowed ? rows.measure : undefined}
                place={{ index, count: lines.length }}
                style={style}
                line={line}
                soundingWord={index === sounding.line ? sounding.word : null}
                chosenWord={word?.line === index ? word.word : null}
                isEntry={index === Math.min(entry, lines.length - 1)}
                isMuted={isMuted(line, passages)}
                onKey={handleKey}
                onEdit={handleEdit}
                onTranscribe={onTranscribe}
                editor={editorOf(line, index)}
              />
            )
          );
        })}
      </ol>
      {!isFollowing && sounding.line >= 0 && (
        <Button className={styles.back} icon={<ArrowDown aria-hidden />} onPress={() => setFollowing(true)}>
          <Trans>Back to the sound</Trans>
        </Button>
      )}
    </div>
  );
}
