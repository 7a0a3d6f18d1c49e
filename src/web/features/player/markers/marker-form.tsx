import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { clockOf, msOf } from '#base/labels/label-time.ts';
import { latinDigits } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { hasTypedText, useTypedText } from '#web/ui/hooks/use-typed-text.ts';
import { takeTyped } from '#web/shortcuts/typing-ahead.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import type { MarkerColour, MarkerFields, PlayableMarker } from '#web/features/player/playable-recording.ts';
import { ColourChoice } from './colour-choice.tsx';
import styles from './markers.module.css';

const opening = { autoFocus: true } as const;

const markerDraftKey = (markerId: string): string => `marker:${markerId}`;

/** Whether a name of this marker was typed and not saved yet. */
export const hasMarkerDraft = (markerId: string): boolean => hasTypedText(markerDraftKey(markerId));

export interface MarkerFormProps {
  marker: PlayableMarker;
  durationMs: number;
  /** Whether time and colour can be changed too. */
  hasPlace: boolean;
  /** Called with the changed fields, if there are any. */
  onSave: (fields: MarkerFields) => void;
  onDone: () => void;
}

/** Edits the name, time and colour of a marker in place. Enter saves, Escape cancels. */
export function MarkerForm({ marker, durationMs, hasPlace, onSave, onDone }: MarkerFormProps) {
  const { t } = useLingui();
  const { text: label, type: setLabel, forget } = useTypedText(markerDraftKey(marker.id), marker.label);
  const [time, setTime] = useState(clockOf(marker.atMs));
  const [colour, setColour] = useState<MarkerColour>(marker.colour ?? 'blue');
  const [isRejected, setRejected] = useState(false);
  const handleDone = () => {
    forget();
    onDone();
  };
  const handleFocus = () => {
    const typed = takeTyped();
    if (typed !== '') setLabel(label + typed);
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const atMs = msOf(latinDigits(time));
    if (atMs === null || atMs > durationMs) {
      setRejected(true);
      return;
    }
    const fields: MarkerFields = {
      ...(label.trim() === marker.label ? {} : { label: label.trim() }),
      ...(atMs === marker.atMs ? {} : { atMs }),
      ...(colour === (marker.colour ?? 'blue') ? {} : { colour }),
    };
    if (Object.keys(fields).length > 0) onSave(fields);
    handleDone();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') handleDone();
  };
  return (
    <form onSubmit={handleSubmit} className={styles.form}>
      <TextField
        label={t`Marker name`}
        name="label"
        value={label}
        onChange={setLabel}
        {...opening}
        onFocus={handleFocus}
        onKeyDown={handleKey}
        maxLength={limits.markerLabelLength}
        className={styles.field}
      />
      {hasPlace && (
        <>
          <TextField
            label={t`Time`}
            name="time"
            value={time}
            onChange={setTime}
            onKeyDown={handleKey}
            className={styles.timeField}
            inputMode="decimal"
            errorMessage={isRejected ? t`Choose a time within the recording.` : null}
          />
          <Button
            variant="plain"
            onPress={() => setTime(clockOf(Math.round(Math.min(player.positionMs(), durationMs))))}
          >
            <Trans>Move to current position</Trans>
          </Button>
          <ColourChoice colour={colour} onChange={setColour} />
        </>
      )}
      <span className={styles.formActions}>
        <Button type="submit" variant="primary">
          <Trans>Save</Trans>
        </Button>
        <Button variant="plain" onPress={handleDone}>
          <Trans>Cancel</Trans>
        </Button>
      </span>
    </form>
  );
}
