import { Plural, useLingui } from '@lingui/react/macro';
import type { SearchHit } from '#contract/recordings.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { formatTimecode } from '#base/format-timecode.ts';
import { MarkedText } from './marked-text.tsx';
import styles from './hit.module.css';

export interface HitLineProps {
  recordingId: string;
  hit: SearchHit;
  tabIndex: number;
}

/** Position in seconds with one decimal, as in player URLs. */
const secondsOf = (ms: number): number => Math.floor(ms / 100) / 10;

/** The text of a recording that matched the search. A marker, a note or a spoken line links to its moment. */
export function HitLine({ recordingId, hit, tabIndex }: HitLineProps) {
  const where = useWhere(hit);
  const text = (
    <>
      <span className={styles.where}>{where}</span> <MarkedText hit={hit} />
    </>
  );
  return (
    <span className={styles.line}>
      {hit.atMs === null ? (
        <span className={styles.words}>{text}</span>
      ) : (
        <Link
          unstyled
          href={`/recordings/${recordingId}#t=${secondsOf(hit.atMs)}`}
          tabIndex={tabIndex}
          draggable={false}
          className={styles.link}
        >
          <span className={styles.words}>{text}</span>
        </Link>
      )}
      {hit.more > 0 && (
        <span className={styles.more}>
          <Plural value={hit.more} one="and # more" other="and # more" />
        </span>
      )}
    </span>
  );
}

/** The kind of the text, and its position. */
function useWhere({ kind, atMs }: SearchHit): string {
  const { t } = useLingui();
  const time = isoLeftToRight(formatTimecode(atMs ?? 0));
  const text: Record<Exclude<SearchHit['kind'], 'title'>, () => string> = {
    marker: () => t`Marker at ${time}`,
    note: () => t`Note at ${time}`,
    transcript: () => t`Said at ${time}`,
    person: () =>
      t({
        message: 'Person',
        comment: 'Before the name of a person in whose recording a search found that name',
      }),
    tag: () => t({ message: 'Tag', comment: 'Before the name of a tag by which a search found a recording' }),
    'file-name': () => t`File name`,
  };
  return kind === 'title' ? '' : text[kind]();
}
