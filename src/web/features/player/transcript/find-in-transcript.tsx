import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { msg } from '@lingui/core/macro';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { SearchField } from '#web/ui/controls/search-field.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import { useShortcuts } from '#web/shortcuts/use-shortcuts.ts';
import styles from './transcript.module.css';

const none: readonly { atMs: number }[] = [];

/** Finds words in a transcript, and leads from one line with them to the next. */
export function FindInTranscript({
  recordingId,
  onShow,
}: {
  recordingId: string;
  /** Shows the line of a moment. */
  onShow: (atMs: number) => void;
}) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const [at, setAt] = useState({ q: '', index: 0 });
  const field = useRef<HTMLDivElement>(null);
  const { data } = useQuery({
    queryKey: [...recordingKeys.transcript(recordingId), 'find', q],
    queryFn: ({ signal }) =>
      call('findInTranscript', { params: { recordingId }, query: { q: q.slice(0, 200) }, signal }),
    enabled: q !== '',
    meta: { what: msg`Transcript` },
  });
  const items = data?.items ?? none;
  const index = at.q === q ? Math.min(at.index, items.length - 1) : 0;
  const first = items[0]?.atMs;
  const latestShow = useRef(onShow);
  useEffect(() => {
    latestShow.current = onShow;
  });
  useEffect(() => {
    if (first !== undefined) latestShow.current(first);
  }, [first, q]);
  const moveTo = (next: number) => {
    const hit = items[(next + items.length) % items.length];
    if (hit === undefined) return;
    setAt({ q, index: (next + items.length) % items.length });
    onShow(hit.atMs);
    player.seek(hit.atMs);
  };
  useShortcuts({ 'player.find': () => field.current?.querySelector('input')?.focus() });
  const count = items.length;
  const place = index + 1;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Enter in the field leads to the next line
    <div
      ref={field}
      className={styles.tools}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || count === 0 || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        moveTo(at.q === q ? index + (event.shiftKey ? -1 : 1) : 0);
      }}
    >
      <SearchField
        label={t`Find in this recording`}
        value={text}
        onChange={setText}
        className={styles.find}
      />
      {q !== '' && data !== undefined && (
        <>
          <output>
            {count === 0 ? (
              <Trans>Not found</Trans>
            ) : data.isComplete ? (
              t(msg`${place} of ${plural(count, { one: '# line', other: '# lines' })}`)
            ) : (
              t(msg`${place} of more than ${plural(count, { one: '# line', other: '# lines' })}`)
            )}
          </output>
          {count > 0 && (
            <>
              <IconButton label={t`Previous line`} icon={<ChevronUp />} onPress={() => moveTo(index - 1)} />
              <IconButton label={t`Next line`} icon={<ChevronDown />} onPress={() => moveTo(index + 1)} />
            </>
          )}
        </>
      )}
    </div>
  );
}
