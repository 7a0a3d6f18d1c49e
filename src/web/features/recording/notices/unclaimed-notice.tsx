import { useState } from 'react';
import { Plural, Trans } from '@lingui/react/macro';
import { useSession } from '#web/api/session.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { UserText } from '#web/ui/text/user-text.tsx';
import { claims } from '../local/claims.ts';
import { localTakes } from '../local/local-takes-store.ts';
import { notMine } from '../local/not-mine.ts';
import styles from './notices.module.css';

const mostListed = 5;

/** Recordings of nobody on a device where somebody has signed in since: they may be another person's, so it is asked, once for all. */
export function UnclaimedNotice() {
  const { user } = useSession();
  const claimed = useStore(claims);
  const format = useFormat();
  const { takes } = useStore(localTakes);
  const [, setAnswered] = useState(0);
  if (!user) return null;
  const open = takes.filter((take) => take.facts.owner === 'nobody' && take.state === 'stopped' && take.deletedAtMs === null && !claimed.has(take.id) && !notMine.has(user.id, take.id));
  if (open.length === 0) return null;
  const ids = open.map(({ id }) => id);
  const handleLeave = () => {
    notMine.add(user.id, ids);
    setAnswered((count) => count + 1);
  };
  const more = open.length - mostListed;
  return (
    <Notice
      tone="info" className={styles.notice}
      title={<Plural value={open.length} one="There’s # recording on this device from before you signed in. Add it to your library?" other="There are # recordings on this device from before you signed in. Add them to your library?" />}
      action={<>
        <Button variant="primary" onPress={() => { claims.add(ids); }}><Trans>Add to my library</Trans></Button>
        <Button variant="plain" onPress={handleLeave}><Trans>Not mine</Trans></Button>
      </>}
    >
      <ul className={styles.list}>
        {open.slice(0, mostListed).map(({ id, title, startedAtMs, durationMs }) => <li key={id}><UserText>{title}</UserText> · {format.dateTime(startedAtMs)} · {format.duration(durationMs)}</li>)}
      </ul>
      {more > 0 && <p><Plural value={more} one="and # more" other="and # more" /></p>}
      <p><Trans>Recordings that aren’t yours stay on this device for the person who made them.</Trans></p>
    </Notice>
  );
}
