import { Trans } from '@lingui/react/macro';
import { useSession } from '#web/api/session.ts';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useLingui } from '@lingui/react/macro';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { MovingTakes } from './moving-takes.tsx';
import { ProviderReturn } from './provider-return.tsx';
import { SignInSurface } from './sign-in-surface.tsx';
import styles from '#web/features/accounts/accounts.module.css';

export interface AccountCardProps {
  form: 'sign-in' | 'sign-up';
  otherHref: string;
  /** The link for users who are already signed in. */
  homeHref: string;
  /** Called after the sign-in, with the page on which a redirect started, if known. */
  onDone: (returnTo: string | null) => void;
}

/** The forms of the dialog as a page. Providers redirect to it. */
export function AccountCard({ form, otherHref, homeHref, onDone }: AccountCardProps) {
  const { t } = useLingui();
  const { user } = useSession();
  const isSignIn = form === 'sign-in';
  return (
    <ProviderReturn onDone={onDone}>
      {(firstStep, failure) => (
        <SignInSurface
          key={firstStep?.at}
          form={form}
          firstStep={firstStep}
          onDone={() => onDone(null)}
          other={<LinkButton href={otherHref}>{isSignIn ? t`Create account` : t`Sign in`}</LinkButton>}
        >
          {(title, content) => (
            <div className={styles.card}>
              <PageHeader title={title} />
              {user && (
                <Notice tone="safe" action={<LinkButton href={homeHref}>{t`Library`}</LinkButton>}>
                  <Trans>
                    You’re signed in as <UserText>{user.displayName}</UserText>.
                  </Trans>
                </Notice>
              )}
              {failure}
              {!isSignIn && (
                <p className={styles.why}>
                  <Trans>
                    With an account, recordings are saved to the server while you record, and you can open
                    them on any device.
                  </Trans>{' '}
                  <MovingTakes />
                </p>
              )}
              {content}
            </div>
          )}
        </SignInSurface>
      )}
    </ProviderReturn>
  );
}
