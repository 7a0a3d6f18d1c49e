import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { X } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { limits } from '#contract/limits.ts';
import type { MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import { takeTyped } from '#web/shortcuts/typing-ahead.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { returnFocus } from '#web/ui/focus/return-focus.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { useTypedDraft } from '#web/ui/hooks/use-typed-draft.ts';
import { inputDirection } from '#web/ui/text/input-direction.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import type { TakeMarker } from '#device/records/take-record.ts';
import styles from './marker-list.module.css';

export interface TakeMarkerListProps {
  markers: readonly TakeMarker[];
  isEditable: boolean;
  /**
   * The marker that was just set. `NewMarkerField` shows it below the wave until it is named; then it joins the
   * list.
   */
  toName: MarkerToName | null;
  onRename: (markerId: string, label: string) => void;
  onRemove: (markerId: string) => void;
}

/** The markers of the take, newest first. Each can be renamed in the list. */
export function TakeMarkerList({ markers, isEditable, toName, onRename, onRemove }: TakeMarkerListProps) {
  const { t } = useLingui();
  const listed = markers.filter(({ id }) => id !== toName?.markerId);
  if (listed.length === 0) return null;
  return (
    <ol className={styles.markers} aria-label={t`Markers`} reversed>
      {listed.toReversed().map((marker) => (
        <li key={marker.id} className={styles.marker}>
          <Timecode ms={marker.atMs} className={styles.markerTime} />
          <MarkerName marker={marker} isEditable={isEditable} toName={null} onRename={onRename} />
          {isEditable && (
            <IconButton
              label={t`Delete marker`}
              data-ends
              icon={<X />}
              variant="plain"
              onPress={() => {
                onRemove(marker.id);
              }}
            />
          )}
        </li>
      ))}
    </ol>
  );
}

export interface NewMarkerProps {
  marker: TakeMarker;
  toName: MarkerToName;
  onRename: (markerId: string, label: string) => void;
  /** Called when the marker was named or the field was left empty. */
  onDone: () => void;
}

/**
 * The field for the name of the marker that was just set. It replaces the meter, so that nothing moves. Enter or
 * Escape returns the focus to its previous element.
 */
export function NewMarkerField({ marker, toName, onRename, onDone }: NewMarkerProps) {
  return (
    <div className={styles.newMarker}>
      <Timecode ms={marker.atMs} className={styles.markerTime} />
      <MarkerName marker={marker} isEditable toName={toName} onRename={onRename} onDone={onDone} />
    </div>
  );
}

interface MarkerNameProps extends Pick<TakeMarkerListProps, 'isEditable' | 'toName' | 'onRename'> {
  marker: TakeMarker;
  onDone?: () => void;
}

function MarkerName({ marker, isEditable, toName, onRename, onDone }: MarkerNameProps) {
  const { t } = useLingui();
  const draft = useTypedDraft(marker.label, (text) => {
    const label = text.replace(/\p{Cc}/gu, ' ').trim();
    if (label !== marker.label) onRename(marker.id, label);
  });
  const field = useRef<HTMLInputElement>(null);
  const leave = useEffectEvent(() => onDone?.());
  useEffect(() => {
    // Don't take the focus if the user has moved it since.
    if (!toName) return;
    if (document.activeElement === toName.from) field.current?.focus({ preventScroll: true });
    else leave();
  }, [toName]);
  const at = isoLeftToRight(formatTimecode(marker.atMs));

  const handleBlur = () => {
    draft.leave();
    onDone?.();
  };
  const handleFocus = () => {
    const typed = takeTyped();
    if (typed !== '') draft.type(typed);
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing;
    if (!isEnter && event.key !== 'Escape') return;
    // Otherwise the same Enter would press the button that regains the focus.
    event.preventDefault();
    // Blur saves the draft, so discard it before moving the focus.
    if (!isEnter) flushSync(draft.discard);
    returnFocus(toName?.from ?? null);
  };

  return (
    <input
      ref={field}
      className={styles.markerName}
      dir={inputDirection(draft.text ?? marker.label)}
      aria-label={t`Name for the marker at ${at}`}
      placeholder={isEditable ? t`Name this marker` : t`Marker`}
      readOnly={!isEditable}
      maxLength={limits.markerLabelLength}
      autoComplete="off"
      enterKeyHint="done"
      value={draft.text ?? marker.label}
      onChange={(event) => {
        draft.type(event.currentTarget.value);
      }}
      onFocus={handleFocus}
      onBlur={handleBlur}
      onKeyDown={handleKey}
    />
  );
}
