import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { formatTimecode } from '#base/format-timecode.ts';
import type { Passage } from '#contract/passages-api.ts';
import { call } from '#web/api/call.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { SeekLink } from '#web/features/player/seek-link.tsx';
import { isGrowing, type PlayableRecording } from '#web/features/player/playable-recording.ts';
import styles from './gaps.module.css';

/** Asks before links play a passage, because listeners may have it from then on. */
function ReleaseDialog({
  recordingId,
  passage,
  onClose,
}: {
  recordingId: string;
  passage: Passage;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const time = formatTimecode(passage.fromMs);
  const release = useAction(async () => {
    await call('releasePassage', { params: { recordingId, passageId: passage.id } });
    await queryClient.invalidateQueries({ queryKey: recordingKeys.one(recordingId) });
    showToast({ message: () => t`Unmuted for listeners` });
  });
  return (
    <ConfirmDialog
      title={<Trans>Let listeners hear the passage at {time}?</Trans>}
      action={<Trans>Unmute</Trans>}
      cancelLabel={<Trans>Cancel</Trans>}
      onConfirm={release.run}
      onClose={onClose}
    >
      <Trans>Every link to this recording then plays it.</Trans>
    </ConfirmDialog>
  );
}

function PassageListItem({ recording, passage }: { recording: PlayableRecording; passage: Passage }) {
  const [isAsked, setAsked] = useState(false);
  const { fromMs, toMs } = passage;
  return (
    <li className={styles.row}>
      <SeekLink atMs={fromMs} className={styles.time}>
        <Timecode ms={fromMs} />
      </SeekLink>
      <span className={styles.until}>
        {toMs === null ? <Trans>to the end</Trans> : <Trans>to {<Timecode ms={toMs} />}</Trans>}
      </span>
      {!isGrowing(recording) && (
        <Button variant="plain" onPress={() => setAsked(true)}>
          <Trans>Unmute for listeners</Trans>
        </Button>
      )}
      {isAsked && (
        <ReleaseDialog recordingId={recording.id} passage={passage} onClose={() => setAsked(false)} />
      )}
    </li>
  );
}

/** Lists the passages that no link plays, and lets listeners hear them. Renders nothing if there are none. */
export function PassageList({ recording }: { recording: PlayableRecording }) {
  const { t } = useLingui();
  const { passages } = recording;
  if (passages.length === 0) return null;
  return (
    <section aria-label={t`Muted for listeners`} className={styles.gaps}>
      <h2>
        <Trans>Muted for listeners</Trans>
      </h2>
      <p className={styles.note}>
        <Trans>Only you can listen to these passages. Links are silent here.</Trans>
      </p>
      <ol className={styles.list}>
        {passages.map((passage) => (
          <PassageListItem key={passage.id} recording={recording} passage={passage} />
        ))}
      </ol>
    </section>
  );
}
