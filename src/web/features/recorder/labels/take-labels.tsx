import type { MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { TakeMarkerList } from './marker-list.tsx';
import type { Take } from '#web/features/recorder/take/take.ts';
import { NoteList } from './note-list.tsx';

export interface TakeLabelsProps {
  take: Take;
  isEditable: boolean;
  /** The marker that was just set, whose field is displayed elsewhere. */
  toName: MarkerToName | null;
}

/** The notes and markers of the take. */
export function TakeLabels({ take, isEditable, toName }: TakeLabelsProps) {
  return (
    <>
      <NoteList notes={take.notes} isEditable={isEditable} />
      <TakeMarkerList
        markers={take.markers}
        isEditable={isEditable}
        toName={toName}
        onRename={recorder.renameMarker}
        onRemove={recorder.removeMarker}
      />
    </>
  );
}
