import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import type { SharingPolicy } from '#contract/shares.ts';
import { newId } from '#device/new-id.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { announce } from '#web/ui/feedback/announce.ts';
import { startCopy } from '#web/ui/dom/delayed-copy.ts';
import { createAndPassOn } from '#web/features/sharing/links/create-and-pass-on.ts';
import type { ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { draftShareOf, newFormOf, newLinkOf } from '#web/features/sharing/links/draft-share.ts';
import { offersOf, readForm, termsAfter } from '#web/features/sharing/terms/share-form.ts';
import { summaryOf } from '#web/features/sharing/terms/share-summary.ts';
import type { LinkForm } from './use-link-form.ts';

/** The form of a link that doesn't exist yet. Saving it creates the link and copies it. */
export function useNewLink(target: ShareTarget, policy: SharingPolicy): LinkForm {
  const { t, i18n } = useLingui();
  const messageOf = useErrorMessage();
  // A second press must not create a second link.
  const [id] = useState(newId);
  const [nowMs] = useState(() => Date.now());
  const [share] = useState(() => draftShareOf(target, policy, nowMs));
  const [first] = useState(() => newFormOf(share, target, policy));
  const [form, setForm] = useState(first);
  const [isTried, setTried] = useState(false);
  const [isPending, setPending] = useState(false);
  const [notice, setNotice] = useState<string | null>(null);
  const { isGrowing } = target;
  const context = { share, policy, durationMs: target.durationMs, nowMs };
  const read = readForm(form, context);
  const terms = read.changes && termsAfter(share, read.changes, nowMs);

  const save = async (): Promise<null> => {
    setTried(true);
    if (!read.changes) {
      announce(t`Check the form: something needs fixing.`);
      return null;
    }
    if (isPending) return null;
    const copy = startCopy();
    setPending(true);
    setNotice(null);
    try {
      await createAndPassOn(target, { ...newLinkOf(target, policy), ...read.changes, id }, copy);
    } catch (error) {
      setNotice(messageOf(error));
    }
    setPending(false);
    return null;
  };
  return {
    share,
    policy,
    form,
    set: (fields) => setForm((before) => ({ ...before, ...fields })),
    offers: offersOf(form, context),
    isGrowing,
    isDirty: JSON.stringify(form) !== JSON.stringify(first),
    isPending,
    problems: (isTried && read.problems) || {},
    summary: terms && summaryOf(terms, { i18n, isGrowing }).slice(0, 3).join(' '),
    notice,
    savedPassword: null,
    save,
    send: () => undefined,
  };
}
