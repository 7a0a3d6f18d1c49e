import type { KeyboardEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Flag } from 'lucide-react';
import type { MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LabelMenu } from '#web/features/player/labels/label-menu.tsx';
import type { PlayableActions, PlayableRecording } from '#web/features/player/playable-recording.ts';
import { useCurrentMarker, useFollowedList } from './current-marker.ts';
import { MarkerListItem } from './marker-list-item.tsx';
import styles from './markers.module.css';

export interface MarkerListProps {
  recording: PlayableRecording;
  actions: PlayableActions;
  onAdd: (() => void) | undefined;
  /** The marker that was just added. */
  toName: MarkerToName | null;
}

/** Moves the focus to the same control of the next or previous row; false if there is no such row. */
function moveFocus(from: Element, direction: 1 | -1): boolean {
  const row = from.closest('li');
  const next = direction === 1 ? row?.nextElementSibling : row?.previousElementSibling;
  const control = next?.querySelector(from.matches('a') ? 'a' : '[data-name]') ?? next?.querySelector('a');
  if (!(control instanceof HTMLElement)) return false;
  control.focus();
  return true;
}

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  altKey || ctrlKey || metaKey || shiftKey;

/** Arrow keys move between rows, Delete deletes the marker of the row. */
function handleKey(event: KeyboardEvent<HTMLElement>, onRemove: (() => void) | undefined): void {
  const { currentTarget, key } = event;
  if (hasModifier(event)) return;
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    event.preventDefault();
    event.stopPropagation();
    moveFocus(currentTarget, key === 'ArrowDown' ? 1 : -1);
  }
  if (key !== 'Delete' || !onRemove) return;
  if (!moveFocus(currentTarget, 1)) moveFocus(currentTarget, -1);
  onRemove();
}

/** The markers in time order. Arrow keys move between them, Delete deletes one, Enter on a name edits it. */
export function MarkerList({ recording, actions, onAdd, toName }: MarkerListProps) {
  const { t } = useLingui();
  const { markers, durationMs } = recording;
  const currentId = useCurrentMarker(markers);
  const list = useFollowedList(currentId);
  const { removeMarker } = actions;
  return (
    <section aria-label={t`Markers`}>
      <div className={styles.heading}>
        <h2>
          <Trans>Markers</Trans>
        </h2>
        <span className={styles.headActions}>
          {onAdd && (
            <Button variant="plain" icon={<Flag aria-hidden />} onPress={onAdd} className={styles.add}>
              <Trans>Add marker</Trans>
            </Button>
          )}
          <LabelMenu recording={recording} canAdd={actions.changeMarker !== undefined} />
        </span>
      </div>
      {markers.length === 0 && (
        <p className={styles.none}>
          {onAdd ? <Trans>Mark a moment so you can find it again.</Trans> : <Trans>No markers yet</Trans>}
        </p>
      )}
      <ol ref={list} className={styles.list}>
        {markers.map((marker) => (
          <MarkerListItem
            key={marker.id}
            marker={marker}
            durationMs={durationMs}
            isCurrent={marker.id === currentId}
            actions={actions}
            toName={toName?.markerId === marker.id ? toName : null}
            onKey={(event) => handleKey(event, removeMarker && (() => removeMarker(marker)))}
          />
        ))}
      </ol>
    </section>
  );
}
