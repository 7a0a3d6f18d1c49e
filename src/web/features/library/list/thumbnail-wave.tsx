import { Suspense, use } from 'react';
import type { LocalOverviews } from './local-overviews.ts';
import { decodeOverview, thumbnail, thumbnailPath } from './thumbnail-path.ts';
import styles from './rows.module.css';

const unknown = new Uint8Array();

/** The waveform thumbnail of a recording; a flat line while it is unknown. */
export function ThumbnailWave({ overview }: { overview: string | null }) {
  return <Thumbnail values={overview === null ? unknown : decodeOverview(overview)} />;
}

export interface LocalThumbnailProps {
  overviews: LocalOverviews;
  take: { id: string; durationMs: number | null };
}

/** The thumbnail of a take that only this device has, computed from its peaks. */
export function LocalThumbnail(props: LocalThumbnailProps) {
  return (
    <Suspense fallback={<Thumbnail values={unknown} />}>
      <LocalShape {...props} />
    </Suspense>
  );
}

function LocalShape({ overviews, take }: LocalThumbnailProps) {
  return <Thumbnail values={use(overviews(take))} />;
}

function Thumbnail({ values }: { values: Uint8Array }) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${thumbnail.widthPx} ${thumbnail.heightPx}`}
      width={thumbnail.widthPx}
      height={thumbnail.heightPx}
      className={styles.thumbnail}
    >
      <path d={thumbnailPath(values)} />
    </svg>
  );
}
