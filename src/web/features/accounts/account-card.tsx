import { Trans, useLingui } from '@lingui/react/macro';
import { useSession } from '#web/api/session.ts';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { AccountPanel } from './account-panel.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import styles from './accounts.module.css';

export interface AccountCardProps {
  form: 'sign-in' | 'sign-up';
  otherHref: string;
  /** Where somebody goes who is signed in already. */
  homeHref: string;
  onDone: () => void;
}

/** The same forms as in the dialog, as a page of their own. */
export function AccountCard({ form, otherHref, homeHref, onDone }: AccountCardProps) {
  const { t } = useLingui();
  const { user } = useSession();
  const isSignIn = form === 'sign-in';
  return (
    <div className={styles.card}>
      <PageHeader title={isSignIn ? t`Sign in` : t`Create account`} />
      {user && (
        <Notice tone="safe" action={<LinkButton href={homeHref}>{t`Library`}</LinkButton>}>
          <Trans>You are signed in as <UserText>{user.displayName}</UserText>.</Trans>
        </Notice>
      )}
      {!isSignIn && <p className={styles.why}><Trans>With an account your recordings are kept on the server while you record, and you find them on every device. What is on this device already moves there too.</Trans></p>}
      <AccountPanel
        form={form}
        other={<LinkButton href={otherHref}>{isSignIn ? t`Create account` : t`Sign in`}</LinkButton>}
      >
        {isSignIn ? <SignInForm onDone={onDone} /> : <SignUpForm onDone={onDone} />}
      </AccountPanel>
    </div>
  );
}
