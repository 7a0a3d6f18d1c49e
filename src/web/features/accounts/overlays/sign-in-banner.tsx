import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { LogIn, UserX, X } from 'lucide-react';
import { requestSignIn, type SignInPrompt } from '#web/api/sign-in-prompt.ts';
import { standingSentences, useTabStanding } from '#web/recordings/owners/tab-standing.tsx';
import type { LostStanding } from '#device/takes/owner-standings.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import styles from './overlays.module.css';

/** Replaces the dialog if another tab shows it or a take is running on this page. */
export function SignInBanner({ because }: Pick<SignInPrompt & { shown: 'banner' }, 'because'>) {
  const { t } = useLingui();
  const standing = useTabStanding();
  const [closedFor, setClosedFor] = useState<LostStanding | null>(null);
  if (because === 'recording' && standing !== null)
    // The take itself says it too, and on a small screen this covers the page's own Sign in.
    return closedFor === standing ? null : (
      <section className={styles.banner} aria-label={t`Sign in`}>
        <UserX aria-hidden className={styles.bannerIcon} />
        <output className={styles.bannerText}>
          <span>{standingSentences[standing]}</span>
        </output>
        <IconButton label={t`Close`} icon={<X />} onPress={() => setClosedFor(standing)} />
      </section>
    );
  return (
    <section
      className={because === 'recording' ? `${styles.banner} ${styles.bannerOfTake}` : styles.banner}
      aria-label={t`Sign in`}
    >
      <LogIn aria-hidden className={styles.bannerIcon} />
      <output className={styles.bannerText}>
        {because === 'recording' ? (
          <>
            <strong>
              <Trans>Your session has ended</Trans>
            </strong>
            <span>
              <Trans>Your recording continues and is safe. Sign in now or after you stop.</Trans>
            </span>
          </>
        ) : (
          <>
            <strong>
              <Trans>Sign in to continue</Trans>
            </strong>
            <span>
              <Trans>Sign-in is open in another tab. Finish there and this page will continue.</Trans>
            </span>
          </>
        )}
      </output>
      <Button className={styles.bannerAction} onPress={() => requestSignIn()}>
        {because === 'recording' ? t`Sign in` : t`Sign in here instead`}
      </Button>
    </section>
  );
}
