import { useState } from 'react';
import { createStore } from '#base/store.ts';
import { createLocalOverviews } from '#web/features/library/list/local-overviews.ts';
import { RecordingListItem } from '#web/features/library/list/recording-list-item.tsx';
import { RowControls } from '#web/features/library/list/row-controls.tsx';
import rowStyles from '#web/features/library/list/rows.module.css';
import { TagFacts } from '#web/features/library/list/tag-facts.tsx';
import { sampleRows, sampleTags } from '#web/dev/sample-data.ts';
import { Part, State } from '#web/dev/states.tsx';

const nothing = () => undefined;
const actions = {
  onRename: nothing,
  onEdit: nothing,
  onTag: nothing,
  onShare: nothing,
  onMoveToTrash: nothing,
  onQueue: nothing,
  onPlay: nothing,
  playing: createStore<string | null>(null),
  running: { subscribe: () => () => undefined, msOf: () => null },
  playedMs: () => 20_000,
};

export function RowSection() {
  const [overviews] = useState(() => createLocalOverviews(() => Promise.resolve(new Int8Array())));
  return (
    <Part name="library/recording-row">
      {sampleRows.map((row) => (
        <State wide key={row.id} name={row.isDamaged ? 'damaged' : row.state}>
          <div className={rowStyles.rows}>
            <RecordingListItem
              row={row}
              overviews={overviews}
              facts={<TagFacts tagIds={row.tagIds} tagsById={sampleTags} />}
              controls={(titleId) => (
                <RowControls
                  row={row}
                  titleId={titleId}
                  actions={actions}
                  isTabStop
                  isChosen={false}
                  onToggle={nothing}
                />
              )}
            />
          </div>
        </State>
      ))}
    </Part>
  );
}
