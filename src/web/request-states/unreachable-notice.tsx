import type { ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { QueryKey } from '@tanstack/react-query';
import { useUnanswered, unanswered, type Unanswered } from '#web/api/queries/unanswered.ts';
import { connection, isUnreachable } from '#web/api/connection/connection.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { ownNotices, useOwnNotice } from './own-notices.ts';
import { RetryButton } from './retry-button.tsx';
import styles from './request-states.module.css';

/** Says either that the connection failed, or only that no response has arrived. */
function UnreachableTitle() {
  return isUnreachable(useStore(connection)) ? (
    <Trans>Can’t reach the server</Trans>
  ) : (
    <Trans>The server isn’t responding</Trans>
  );
}

/** Names what the screen can't show, each part by its heading. */
function Missing({ questions }: { questions: readonly Unanswered[] }) {
  const { i18n } = useLingui();
  const format = useFormat();
  const names = new Set(questions.flatMap(({ what }) => (what === null ? [] : [i18n._(what)])));
  const parts = format.list([...names]);
  return (
    <>
      {names.size > 0 && (
        <>
          <Trans>Not shown for now: {parts}.</Trans>{' '}
        </>
      )}
      <Trans>The rest appears when the server responds.</Trans>
    </>
  );
}

/** Read out politely when it appears. */
function ServerNotice({ children }: { children?: ReactNode }) {
  const questions = useStore(unanswered);
  return (
    <output className={styles.notice}>
      {children ? (
        <Notice tone="info" action={<RetryButton />}>
          {children}
        </Notice>
      ) : (
        <Notice tone="info" title={<UnreachableTitle />} action={<RetryButton />}>
          <Missing questions={questions} />
        </Notice>
      )}
    </output>
  );
}

/**
 * Says on its own screen why something is missing, in the screen's own text or by the names of the missing parts.
 */
export function UnreachableNotice({ children }: { children?: ReactNode }) {
  useOwnNotice();
  return <ServerNotice>{children}</ServerNotice>;
}

/** Shown above a list of what this device has, while the server can't be reached for the rest. */
export const DeviceOnlyNotice = ({ children }: { children?: ReactNode }) => (
  <UnreachableNotice>
    <Trans>Can’t reach the server. Showing what’s on this device.</Trans>
    {children !== undefined && <> {children}</>}
  </UnreachableNotice>
);

/** Shown in a dialog or a form once the server has not responded to its only query. */
export const UnreachableNoticeFor = ({ of }: { of: QueryKey }) => useUnanswered(of) && <UnreachableNotice />;

/** Shown above every page, so that no screen has to detect itself that the server doesn't respond. */
export function PageUnreachableNotice() {
  const isMissing = useStore(unanswered).length > 0;
  const hasOwnNotice = useStore(ownNotices) > 0;
  return isMissing && !hasOwnNotice && <ServerNotice />;
}
