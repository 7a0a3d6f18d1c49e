import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { alarmsDismissed } from './capture-alarm.ts';
import type { Take } from '#web/features/recorder/take/take.ts';
import styles from './notices.module.css';

/** The worker's warnings, each until it is over or the user has dismissed it for this take. */
export function AlarmNotices({ take: { id, alarms } }: { take: Take }) {
  const dismissed = useStore(alarmsDismissed);
  const shown = alarms.filter((alarm) => !dismissed.has(`${id}:${alarm}`));
  return shown.map((alarm) => (
    <Notice
      key={alarm}
      tone="danger"
      role="alert"
      className={styles.notice}
      title={alarm === 'silence' ? <Trans>No sound detected</Trans> : <Trans>Too loud</Trans>}
      action={
        <Button
          variant="plain"
          onPress={() => {
            alarmsDismissed.add(id, alarm);
          }}
        >
          <Trans>Don’t warn again</Trans>
        </Button>
      }
    >
      {alarm === 'silence' ? (
        <Trans>
          No sound from the microphone for ten seconds. Is it muted, or is it the wrong one? Still recording.
        </Trans>
      ) : (
        <Trans>
          The loudest parts are distorted. Move away from the microphone a little, or turn it down.
        </Trans>
      )}
    </Notice>
  ));
}
