import { Trans, useLingui } from '@lingui/react/macro';
import { Flag } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import type { PlayableActions, PlayableMarker } from '../playable-recording.ts';
import { MarkerRow } from './marker-row.tsx';
import styles from './markers.module.css';

export interface MarkerListProps {
  markers: readonly PlayableMarker[];
  actions: PlayableActions;
  onAdd: (() => void) | undefined;
}

export function MarkerList({ markers, actions, onAdd }: MarkerListProps) {
  const { t } = useLingui();
  return (
    <section aria-label={t`Markers`}>
      <div className={styles.heading}>
        <h2><Trans>Markers</Trans></h2>
        {onAdd && <Button variant="plain" icon={<Flag aria-hidden />} onPress={onAdd}><Trans>Add marker</Trans></Button>}
      </div>
      {markers.length === 0 && <p className={styles.none}>{onAdd ? <Trans>Mark a moment to find it again.</Trans> : <Trans>No markers.</Trans>}</p>}
      <ol className={styles.list}>
        {markers.map((marker) => <MarkerRow key={marker.id} marker={marker} actions={actions} />)}
      </ol>
    </section>
  );
}
