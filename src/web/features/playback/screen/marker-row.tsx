import { useState, type FormEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pencil, Trash2 } from 'lucide-react';
import { limits } from '#contract/limits.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { formatTimecode } from '#web/ui/text/format-timecode.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { player } from '../engine/shared-player.ts';
import { momentFragment } from '../moment.ts';
import type { PlayableActions, PlayableMarker } from '../playable-recording.ts';
import styles from './markers.module.css';

const opening = { autoFocus: true } as const;

export interface MarkerRowProps { marker: PlayableMarker; actions: PlayableActions }

export function MarkerRow({ marker, actions }: MarkerRowProps) {
  const { t } = useLingui();
  const [isEditing, setEditing] = useState(false);
  const { renameMarker, removeMarker } = actions;
  const time = isoLeftToRight(formatTimecode(marker.atMs));
  return (
    <li className={styles.row}>
      <a href={momentFragment(marker.atMs)} className={styles.time} onClick={(event) => {
        event.preventDefault();
        player.seek(marker.atMs);
      }}><Timecode ms={marker.atMs} /></a>
      {isEditing && renameMarker
        ? <LabelForm marker={marker} onDone={() => setEditing(false)} onSave={(label) => renameMarker(marker, label)} />
        : <span className={styles.label}>{marker.label ? <UserText>{marker.label}</UserText> : <span className={styles.unnamed}><Trans>Without a name</Trans></span>}</span>}
      {!isEditing && (
        <span className={styles.actions}>
          {renameMarker && <IconButton label={t`Rename the marker at ${time}`} icon={<Pencil />} onPress={() => setEditing(true)} />}
          {removeMarker && <IconButton label={t`Delete the marker at ${time}`} icon={<Trash2 />} onPress={() => removeMarker(marker)} />}
        </span>
      )}
    </li>
  );
}

function LabelForm({ marker, onSave, onDone }: { marker: PlayableMarker; onSave: (label: string) => void; onDone: () => void }) {
  const { t } = useLingui();
  const [text, setText] = useState(marker.label);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== marker.label) onSave(text.trim());
    onDone();
  };
  return (
    <form onSubmit={handleSubmit} className={styles.form}>
      <TextField label={t`Marker name`} name="label" value={text} onChange={setText} {...opening} maxLength={limits.markerLabelLength} className={styles.field} onKeyDown={(event) => { if (event.key === 'Escape') onDone(); }} />
      <Button type="submit" variant="primary"><Trans>Save</Trans></Button>
      <Button variant="plain" onPress={onDone}><Trans>Cancel</Trans></Button>
    </form>
  );
}
