import { useCallback, useMemo, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Flag } from 'lucide-react';
import type { MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useScrolledRows } from '#web/ui/lists/use-scrolled-rows.ts';
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

/** The control of a row that corresponds to one of another row. */
function controlLike(from: Element, row: Element | null): HTMLElement | null {
  const control = row?.querySelector(from.matches('a') ? 'a' : '[data-name]') ?? row?.querySelector('a');
  return control instanceof HTMLElement ? control : null;
}

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  altKey || ctrlKey || metaKey || shiftKey;

/** The height of a row with one line. */
const rowPx = 53;

/** The markers in time order. Arrow keys move between them, Delete deletes one, Enter on a name edits it. */
export function MarkerList({ recording, actions, onAdd, toName }: MarkerListProps) {
  const { t } = useLingui();
  const { markers, durationMs } = recording;
  const { removeMarker } = actions;
  const currentId = useCurrentMarker(markers);
  const list = useRef<HTMLOListElement>(null);
  const ids = useMemo(() => markers.map(({ id }) => id), [markers]);
  const focusedId = useRef<string | null>(null);
  const edited = useRef(new Set<string>());
  const handleEditing = useCallback((id: string, isEditing: boolean) => {
    if (isEditing) edited.current.add(id);
    else edited.current.delete(id);
  }, []);
  const rows = useScrolledRows({
    list,
    ids,
    rowPx,
    isRetained: (id) => id === focusedId.current || id === toName?.markerId || edited.current.has(id),
  });
  useFollowedList(list, {
    currentIndex: currentId === null ? -1 : ids.indexOf(currentId),
    scrollTo: rows.scrollTo,
  });
  const handleFocus = ({ target }: FocusEvent) => {
    focusedId.current = ids[Number(target.closest('li')?.dataset['index'])] ?? null;
  };
  /** Arrow keys move between rows, Delete deletes the marker of the row. */
  const handleKey = (event: KeyboardEvent<HTMLElement>, index: number) => {
    const { currentTarget, key } = event;
    if (hasModifier(event)) return;
    const moveTo = (row: number): boolean => {
      const control = controlLike(currentTarget, rows.elementOf(row));
      control?.focus();
      return control !== null;
    };
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      event.stopPropagation();
      moveTo(key === 'ArrowDown' ? index + 1 : index - 1);
    }
    const marker = markers[index];
    if (key !== 'Delete' || !removeMarker || !marker) return;
    if (!moveTo(index + 1)) moveTo(index - 1);
    removeMarker(marker);
  };
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
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notes which row has the focus */}
      <ol
        ref={list}
        className={classes(styles.list, rows.className)}
        style={rows.style}
        onFocus={handleFocus}
      >
        {rows.rows.map(({ index, style }) => {
          const marker = markers[index];
          return (
            marker && (
              <MarkerListItem
                key={marker.id}
                ref={rows.measure}
                place={{ index, count: markers.length }}
                style={style}
                marker={marker}
                durationMs={durationMs}
                isCurrent={marker.id === currentId}
                actions={actions}
                toName={toName?.markerId === marker.id ? toName : null}
                onKey={(event) => handleKey(event, index)}
                onEditing={handleEditing}
              />
            )
          );
        })}
      </ol>
    </section>
  );
}
