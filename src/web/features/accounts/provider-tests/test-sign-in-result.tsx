import { Trans, useLingui } from '@lingui/react/macro';
import type { TestSignInResult } from '#contract/providers-api.ts';
import { second } from '#base/duration.ts';
import { ApiError } from '#web/api/api-error.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { iso } from '#web/i18n/iso.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import styles from './provider-tests.module.css';

/** What a sign-in would have done. */
export function TestOutcome({ outcome }: { outcome: TestSignInResult['outcome'] }) {
  const errorMessage = useErrorMessage();
  if (outcome.result === 'refused') {
    const { code, detail } = outcome;
    const message = errorMessage(new ApiError({ code, status: 0, problem: null }));
    return (
      <Notice tone="warn" title={<Trans>A sign-in would fail</Trans>}>
        {detail !== null && (
          <p dir="ltr" translate="no" className={styles.detail}>
            {detail}
          </p>
        )}
        <p>
          <Trans>Users would read: {message}</Trans>
        </p>
      </Notice>
    );
  }
  const { displayName, email } = outcome.account;
  const account = iso(email === null ? displayName : `${displayName} (${email})`);
  return (
    <Notice
      tone="safe"
      title={
        outcome.result === 'creates' ? (
          <Trans>A sign-in would create the account {account}</Trans>
        ) : (
          <Trans>A sign-in would open the account {account}</Trans>
        )
      }
    >
      {outcome.result === 'creates' && outcome.needsName && (
        <p>
          <Trans>The provider reports no name, so the user is asked for one.</Trans>
        </p>
      )}
      {outcome.result === 'signs-in' && outcome.needsSecondFactor && (
        <p>
          <Trans>Two-step sign-in is on for it, so a code is needed too.</Trans>
        </p>
      )}
      <p>
        <Trans>Test sign-in: no one was signed in, and no account was changed.</Trans>
      </p>
    </Notice>
  );
}

/** Everything that the provider said, claim by claim. */
export function TestDetails({ result }: { result: TestSignInResult }) {
  const { t } = useLingui();
  const { number } = useFormat();
  const { claims, otherClaims, clockDifferenceMs, userInfoStatus, profile, warning } = result;
  const facts = [
    profile && [t`Email address counts as verified`, profile.isEmailVerified ? t`yes` : t`no`],
    clockDifferenceMs !== null && [
      t`Clock difference`,
      number(clockDifferenceMs / second, {
        style: 'unit',
        unit: 'second',
        maximumFractionDigits: 1,
        signDisplay: 'exceptZero',
      }),
    ],
    userInfoStatus !== null && ['UserInfo', `HTTP ${userInfoStatus}`],
    otherClaims.length > 0 && [t`Other claims`, otherClaims.join(', ')],
  ].filter((fact) => Array.isArray(fact));
  return (
    <div className={styles.details}>
      {warning !== null && (
        <p dir="ltr" translate="no" className={styles.detail}>
          {warning}
        </p>
      )}
      {claims.length > 0 && (
        <table dir="ltr" className={styles.claims}>
          <caption dir="auto">
            <Trans>What the provider says about the user</Trans>
          </caption>
          <thead translate="no">
            <tr>
              <th scope="col">
                <code>Claim</code>
              </th>
              <th scope="col">
                <code>ID token</code>
              </th>
              <th scope="col">
                <code>UserInfo</code>
              </th>
            </tr>
          </thead>
          <tbody translate="no">
            {claims.map(({ claim, idToken, userInfo }) => (
              <tr key={claim}>
                <th scope="row">
                  <code>{claim}</code>
                </th>
                <td>{idToken ?? '–'}</td>
                <td>{userInfo ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {facts.length > 0 && (
        <dl className={styles.facts}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi translate="no">{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
