import { useState, type KeyboardEvent } from 'react';
import { wordsOfLine } from '#base/transcripts/line.ts';
import type { TranscriptLine } from '#contract/transcripts-api.ts';
import { announce } from '#web/ui/feedback/announce.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  altKey || ctrlKey || metaKey || shiftKey;

interface ChosenWord {
  line: number;
  word: number;
}

export interface LineKeys {
  /** The word that the arrow keys have reached; null for none. */
  chosen: ChosenWord | null;
  /** The line that Tab leads to. */
  entry: number;
  focusLine: (index: number) => void;
  onKey: (event: KeyboardEvent<HTMLElement>, index: number) => void;
}

/** Arrows move between lines and, by reading direction, words. Enter plays from the word, E corrects the line. */
export function useLineKeys(
  lines: readonly TranscriptLine[],
  {
    elementOf,
    onEdit,
  }: { elementOf: (index: number) => Element | null; onEdit: ((index: number) => void) | undefined },
): LineKeys {
  const [entry, setEntry] = useState(0);
  const [chosen, setChosen] = useState<ChosenWord | null>(null);
  const focusLine = (index: number) => {
    const link = elementOf(index)?.querySelector('a');
    if (!(link instanceof HTMLElement)) return;
    setEntry(index);
    setChosen(null);
    link.focus();
  };
  const moveWord = (index: number, by: number) => {
    const line = lines[index];
    if (!line || line.times.length === 0) return;
    const from = chosen?.line === index ? chosen.word : by > 0 ? -1 : line.times.length;
    const word = Math.min(line.times.length - 1, Math.max(0, from + by));
    setChosen({ line: index, word });
    announce(wordsOfLine(line)[word]?.text ?? '');
  };
  const onKey = (event: KeyboardEvent<HTMLElement>, index: number) => {
    if (hasModifier(event)) return;
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const startMs = chosen?.line === index ? lines[index]?.times[chosen.word]?.[0] : undefined;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focusLine(index + 1),
      ArrowUp: () => focusLine(index - 1),
      Home: () => focusLine(0),
      End: () => focusLine(lines.length - 1),
      ArrowRight: () => moveWord(index, isRightToLeft ? -1 : 1),
      ArrowLeft: () => moveWord(index, isRightToLeft ? 1 : -1),
      ...(startMs === undefined ? {} : { Enter: () => player.seek(startMs) }),
      ...(onEdit === undefined ? {} : { e: () => onEdit(index) }),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return { chosen, entry: Math.min(entry, lines.length - 1), focusLine, onKey };
}
