import { Plural, Trans } from '@lingui/react/macro';
import type { AudioTrack } from '#contract/recordings.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { languageName } from '#base/language-name.ts';
import styles from './details.module.css';

/**
 * Lists how many audio tracks a file has and whether all of them are played, so that no track is dropped silently.
 */
export function TracksNotice({
  tracks,
  className,
}: {
  tracks: readonly AudioTrack[];
  className?: string | undefined;
}) {
  if (tracks.length === 0) return null;
  return (
    <Notice tone="info" role="note" className={className}>
      {tracks.every(({ isPlayed }) => isPlayed) ? (
        <Plural
          value={tracks.length}
          one="This file has # audio track."
          other="This file has # audio tracks. They’re played together."
        />
      ) : (
        <Plural
          value={tracks.length}
          one="This file has # audio track."
          other="This file has # audio tracks. Only one of them is played. The others are in the original file."
        />
      )}
    </Notice>
  );
}

/** The title and language of each track in a file, and whether it is played. */
export function TrackList({ tracks }: { tracks: readonly AudioTrack[] }) {
  return (
    <ol className={styles.tracks}>
      {tracks.map((track, index) => (
        <li key={index}>
          <TrackText track={track} number={index + 1} />
        </li>
      ))}
    </ol>
  );
}

function TrackText({ track: { title, language, isPlayed }, number }: { track: AudioTrack; number: number }) {
  const format = useFormat();
  const shown = format.number(number);
  return (
    <span className={styles.track}>
      {title === '' ? (
        <span>
          <Trans>Track {shown}</Trans>
        </span>
      ) : (
        <UserText>{title}</UserText>
      )}
      {language !== null && <span>{languageName(language, format.locale)}</span>}
      {!isPlayed && (
        <span>
          <Trans>not played</Trans>
        </span>
      )}
    </span>
  );
}

/** Codec, sample rate and channels on one line. */
export function FormatText({
  codec,
  kilohertz,
  channels,
}: {
  codec: string;
  kilohertz: string;
  channels: number;
}) {
  if (channels === 1)
    return (
      <Trans>
        {codec}, {kilohertz} kHz, mono
      </Trans>
    );
  if (channels === 2)
    return (
      <Trans>
        {codec}, {kilohertz} kHz, stereo
      </Trans>
    );
  return (
    <Plural
      value={channels}
      one={`${codec}, ${kilohertz} kHz, # channel`}
      other={`${codec}, ${kilohertz} kHz, # channels`}
    />
  );
}
