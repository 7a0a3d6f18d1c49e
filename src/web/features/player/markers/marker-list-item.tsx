import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent, type Ref } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pencil, Trash2 } from 'lucide-react';
import type { MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { classes } from '#web/ui/classes.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { returnFocus } from '#web/ui/focus/return-focus.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { SeekLink } from '#web/features/player/seek-link.tsx';
import type {
  MarkerFields,
  PlayableActions,
  PlayableMarker,
} from '#web/features/player/playable-recording.ts';
import { hasMarkerDraft, MarkerForm } from './marker-form.tsx';
import styles from './markers.module.css';

export interface MarkerListItemProps {
  ref: Ref<HTMLLIElement> | undefined;
  /** The place among the markers, of which not all may be in the DOM. */
  place: { index: number; count: number };
  style: CSSProperties | undefined;
  marker: PlayableMarker;
  durationMs: number;
  isCurrent: boolean;
  actions: PlayableActions;
  /** Set for a marker that was just added, so that its name is edited immediately. */
  toName: MarkerToName | null;
  onKey: (event: KeyboardEvent<HTMLElement>) => void;
  /** Called when the form opens and closes. Must always be the same function. */
  onEditing: (markerId: string, isEditing: boolean) => void;
}

/** The save handler of the form. On the server all fields can be changed, on this device only the name. */
function savingOf(
  { changeMarker, renameMarker }: PlayableActions,
  marker: PlayableMarker,
): ((fields: MarkerFields) => void) | null {
  if (changeMarker) return (fields) => changeMarker(marker, fields);
  if (renameMarker)
    return ({ label }) => {
      if (label !== undefined) renameMarker(marker, label);
    };
  return null;
}

export function MarkerListItem({
  ref,
  place,
  style,
  marker,
  durationMs,
  isCurrent,
  actions,
  toName,
  onKey,
  onEditing,
}: MarkerListItemProps) {
  const { t } = useLingui();
  const name = useRef<HTMLButtonElement>(null);
  // If the focus has moved elsewhere since, the form does not open and steal it.
  const isNamedNow = toName !== null && document.activeElement === toName.from;
  const [isEditing, setEditing] = useState(() => isNamedNow || hasMarkerDraft(marker.id));
  const hasName = useRef(!isEditing);
  useEffect(() => {
    onEditing(marker.id, isEditing);
    return () => onEditing(marker.id, false);
  }, [onEditing, marker.id, isEditing]);
  const { removeMarker } = actions;
  const save = savingOf(actions, marker);
  const time = isoLeftToRight(formatTimecode(marker.atMs));
  const text = marker.label ? (
    <UserText>{marker.label}</UserText>
  ) : (
    <span className={styles.unnamed}>
      <Trans>Untitled marker</Trans>
    </span>
  );
  const handleDone = () => {
    setEditing(false);
    const isNew = !hasName.current;
    hasName.current = true;
    requestAnimationFrame(() => {
      returnFocus(isNew && toName ? toName.from : name.current);
    });
  };
  return (
    <li
      ref={ref}
      data-index={place.index}
      aria-setsize={place.count}
      aria-posinset={place.index + 1}
      style={style}
      className={classes(styles.row, isCurrent && styles.current)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <SeekLink atMs={marker.atMs} className={styles.time} onKeyDown={onKey}>
        <Timecode ms={marker.atMs} />
      </SeekLink>
      {isEditing && save ? (
        <MarkerForm
          marker={marker}
          durationMs={durationMs}
          hasPlace={actions.changeMarker !== undefined}
          onDone={handleDone}
          onSave={save}
        />
      ) : (
        <>
          <i aria-hidden className={styles.dot} data-colour={marker.colour} />
          {save ? (
            <button
              ref={name}
              type="button"
              data-name
              className={styles.label}
              onKeyDown={onKey}
              onClick={() => setEditing(true)}
            >
              {text}
            </button>
          ) : (
            <span className={styles.label}>{text}</span>
          )}
          <span className={styles.actions}>
            {save && (
              <IconButton
                label={t`Edit the marker at ${time}`}
                icon={<Pencil />}
                onPress={() => setEditing(true)}
              />
            )}
            {removeMarker && (
              <IconButton
                data-ends
                label={t`Delete the marker at ${time}`}
                icon={<Trash2 />}
                onPress={() => removeMarker(marker)}
              />
            )}
          </span>
        </>
      )}
    </li>
  );
}
