import { useState } from 'react';
import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import type { DeviceTake } from '#device/takes/device-take.ts';
import { useUnclaimed } from './use-unclaimed.ts';
import styles from './notices.module.css';

const maxListed = 5;
/** The likely answer has the focus, so that Enter chooses it. */
const likelyAnswer = { autoFocus: true } as const;

/**
 * Asks whether unowned recordings on this device belong to the signed-in user. Right after the account was created
 * on a device without other users, the question is a dialog instead of a notice.
 */
export function UnclaimedNotice() {
  const { t } = useLingui();
  const { takes, isLikelyMine, add, leave } = useUnclaimed();
  const [isPutOff, setPutOff] = useState(false);
  if (takes.length === 0) return null;
  const handleAdd = () => {
    add();
    const count = takes.length;
    showToast({
      message: () =>
        t`${plural(count, { one: 'Your recording is moving to your account', other: 'Your # recordings are moving to your account' })}`,
      tone: 'success',
    });
  };
  if (isLikelyMine && !isPutOff)
    return <Step takes={takes} onAdd={handleAdd} onClose={() => setPutOff(true)} />;
  return (
    <Notice
      tone="info"
      className={styles.notice}
      title={
        <Plural
          value={takes.length}
          one="There’s # recording on this device from before you signed in. Add it to your library?"
          other="There are # recordings on this device from before you signed in. Add them to your library?"
        />
      }
      action={
        <>
          <Button variant="primary" onPress={handleAdd}>
            <Trans>Add to my library</Trans>
          </Button>
          <Button variant="plain" onPress={leave}>
            <Trans>Not mine</Trans>
          </Button>
        </>
      }
    >
      <TakeNames takes={takes} />
      <p>
        <Trans>Recordings that aren’t yours stay on this device for the person who made them.</Trans>
      </p>
    </Notice>
  );
}

function Step({
  takes,
  onAdd,
  onClose,
}: {
  takes: readonly DeviceTake[];
  onAdd: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      size="s"
      title={
        <Plural
          value={takes.length}
          one="# recording from before: add it?"
          other="# recordings from before: add them?"
        />
      }
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <TakeNames takes={takes} />
      <div className={styles.answers}>
        <Button variant="plain" onPress={onClose}>
          <Trans>Not now</Trans>
        </Button>
        <Button variant="primary" {...likelyAnswer} onPress={onAdd}>
          <Trans>Add to my library</Trans>
        </Button>
      </div>
    </Dialog>
  );
}

function TakeNames({ takes }: { takes: readonly DeviceTake[] }) {
  const format = useFormat();
  const more = takes.length - maxListed;
  return (
    <>
      <ul className={styles.list}>
        {takes.slice(0, maxListed).map((take) => (
          <li key={take.id}>
            <RecordingTitle of={take} /> · {format.dateTime(take.startedAtMs)} ·{' '}
            {take.durationMs === null ? (
              <Trans>Length not known yet</Trans>
            ) : (
              format.duration(take.durationMs)
            )}
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
    </>
  );
}
