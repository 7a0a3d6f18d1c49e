import { memo, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pencil } from 'lucide-react';
import { formatTimecode } from '#base/format-timecode.ts';
import { wordsOfLine } from '#base/transcripts/line.ts';
import type { TranscriptLine } from '#contract/transcripts-api.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { inputDirection } from '#web/ui/text/input-direction.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import { SeekLink } from '#web/features/player/seek-link.tsx';
import type { RowProperties } from '#web/ui/lists/use-windowed-rows.ts';
import { LineEditor, type LineEditorProps } from './line-editor.tsx';
import styles from './transcript.module.css';

export interface TranscriptLineItemProps {
  ref: Ref<HTMLLIElement> | undefined;
  place: { index: number; count: number };
  style: RowProperties | undefined;
  line: TranscriptLine;
  /** The index of the word that sounds; -1 for none; null if the line does not sound. */
  soundingWord: number | null;
  /** The index of the word that the keyboard has reached; null for none. */
  chosenWord: number | null;
  /** Whether Tab leads to this line. */
  isEntry: boolean;
  isMuted: boolean;
  onKey: (event: KeyboardEvent<HTMLElement>, index: number) => void;
  /** Opens the editor; absent if the line cannot be corrected. */
  onEdit: ((index: number) => void) | undefined;
  /** Transcribes a stretch without words; absent if that is impossible. */
  onTranscribe: ((line: TranscriptLine) => void) | undefined;
  editor: LineEditorProps | null;
}

/** Plays from the word that was pressed. */
function playPressed(line: TranscriptLine, { target }: MouseEvent): void {
  const word = target instanceof Element ? target.closest('[data-word]') : null;
  const time = line.times[Number(word?.getAttribute('data-word'))];
  // A text that is being selected is not pressed.
  if (word === null || time === undefined || getSelection()?.isCollapsed === false) return;
  player.seek(time[0]);
}

/** A line of a transcript with its time. */
export function TranscriptLineItem({
  ref,
  place,
  style,
  line,
  soundingWord,
  chosenWord,
  isEntry,
  isMuted,
  onKey,
  onEdit,
  onTranscribe,
  editor,
}: TranscriptLineItemProps) {
  const { t } = useLingui();
  const time = isoLeftToRight(formatTimecode(line.fromMs));
  return (
    <li
      ref={ref}
      data-index={place.index}
      aria-setsize={place.count}
      aria-posinset={place.index + 1}
      style={style}
      aria-current={soundingWord === null ? undefined : 'true'}
      className={classes(styles.row, soundingWord !== null && styles.current)}
    >
      <SeekLink
        atMs={line.fromMs}
        className={styles.time}
        tabIndex={isEntry ? 0 : -1}
        onKeyDown={(event) => onKey(event, place.index)}
      >
        <Timecode ms={line.fromMs} />
      </SeekLink>
      {editor === null ? (
        <>
          {line.text === '' ? (
            <Wordless line={line} onTranscribe={onTranscribe} />
          ) : (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the keys of words are those of the time
            <p
              className={classes(
                styles.text,
                line.doubt !== null && styles.doubtful,
                isMuted && styles.muted,
              )}
              dir={inputDirection(line.text)}
              lang={line.language ?? undefined}
              translate="no"
              onClick={(event) => playPressed(line, event)}
            >
              <Words line={line} soundingWord={soundingWord} chosenWord={chosenWord} />
              <Marks line={line} isMuted={isMuted} />
            </p>
          )}
          {onEdit && (
            <span className={styles.actions}>
              <IconButton
                label={t`Correct the line at ${time}`}
                icon={<Pencil />}
                onPress={() => onEdit(place.index)}
              />
            </span>
          )}
        </>
      ) : (
        <LineEditor {...editor} />
      )}
    </li>
  );
}

const Words = memo(function Words({
  line,
  soundingWord,
  chosenWord,
}: Pick<TranscriptLineItemProps, 'line' | 'soundingWord' | 'chosenWord'>) {
  let at = 0;
  return wordsOfLine(line).map(({ text }, index) => {
    const [, , length] = line.times[index] ?? [0, 0, 0];
    const space = line.text.slice(at, at + length - text.length);
    at += length;
    return (
      <span key={index}>
        {space}
        <span
          data-word={index}
          className={classes(
            styles.word,
            index === soundingWord && styles.sounding,
            index === chosenWord && styles.chosen,
          )}
        >
          {text}
        </span>
      </span>
    );
  });
});

/** What is known of a line besides its words. */
function Marks({ line, isMuted }: { line: TranscriptLine; isMuted: boolean }) {
  return (
    <>
      {line.doubt !== null && (
        <VisuallyHidden>
          {' '}
          <Trans>(not sure)</Trans>
        </VisuallyHidden>
      )}
      {line.correction !== null && (
        <span className={styles.mark}>
          {' '}
          <Trans>corrected</Trans>
        </span>
      )}
      {isMuted && (
        <span className={styles.mark}>
          {' '}
          <Trans>muted for listeners</Trans>
        </span>
      )}
    </>
  );
}

/** A stretch without words, and what can be done about it. */
function Wordless({ line, onTranscribe }: Pick<TranscriptLineItemProps, 'line' | 'onTranscribe'>) {
  const end = isoLeftToRight(formatTimecode(line.toMs));
  const { correction, cause } = line;
  return (
    <p className={classes(styles.text, styles.wordless)}>
      {correction !== null ? (
        <Trans>Not speech (until {end})</Trans>
      ) : cause === 'no-speech' ? (
        <Trans>No speech found (until {end})</Trans>
      ) : cause === 'muted' ? (
        <Trans>Muted for listeners: not sent to the transcription server (until {end})</Trans>
      ) : (
        <Trans>Couldn’t be transcribed (until {end})</Trans>
      )}
      {onTranscribe && correction === null && cause !== 'muted' && (
        <Button variant="plain" onPress={() => onTranscribe(line)}>
          {cause === 'no-speech' ? <Trans>Transcribe anyway</Trans> : <Trans>Try again</Trans>}
        </Button>
      )}
    </p>
  );
}
