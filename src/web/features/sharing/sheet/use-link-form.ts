import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import type { Share, SharingPolicy } from '#contract/shares.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { queryClient } from '#web/api/queries/query-client.ts';
import { announce } from '#web/ui/feedback/announce.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import type { ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { changeLink, isChangedElsewhere } from '#web/features/sharing/links/share-calls.ts';
import { linksOfRecording } from '#web/features/sharing/links/share-queries.ts';
import {
  formOf,
  isNewAddress,
  offersOf,
  readForm,
  termsAfter,
  type FormProblem,
  type FormField,
  type ShareChanges,
  type ShareForm,
} from '#web/features/sharing/terms/share-form.ts';
import { summaryOf } from '#web/features/sharing/terms/share-summary.ts';

/** The form of one link, with what it offers and what saving it would do. */
export interface LinkForm {
  share: Share;
  policy: SharingPolicy;
  form: ShareForm;
  set: (fields: Partial<ShareForm>) => void;
  offers: ReturnType<typeof offersOf>;
  isGrowing: boolean | null;
  isDirty: boolean;
  isPending: boolean;
  /** What is wrong in the form, once saving was tried. */
  problems: Partial<Record<FormField, FormProblem>>;
  /** What the link would allow after saving; null if something is wrong in the form, or a rule suspends the link. */
  summary: string | null;
  /** Why the last attempt to save failed. */
  notice: string | null;
  /** The password of the last save, to be copied. */
  savedPassword: string | null;
  /** Resolves to the link as it was saved; null if it was not, or does not exist yet. */
  save: () => Promise<Share | null>;
  /** Sends changes that do not belong to the form. */
  send: (changes: ShareChanges) => void;
}

/** The link as the server has it now; undefined if that is not known. */
async function storedNow({ recordingId, id }: Share): Promise<Share | undefined> {
  try {
    const links = await queryClient.fetchQuery({ ...linksOfRecording(recordingId), staleTime: 0 });
    return links.items.find((known) => known.id === id);
  } catch {
    return undefined;
  }
}

interface UseLinkForm {
  share: Share;
  policy: SharingPolicy;
  target: ShareTarget;
  password: string | null;
}

/**
 * The form of one link. It is based on one revision: if the link has changed meanwhile, nothing is overwritten and
 * the form shows the newer version.
 */
export function useLinkForm({ share, policy, target, password }: UseLinkForm): LinkForm {
  const { t, i18n } = useLingui();
  const messageOf = useErrorMessage();
  const [based, setBased] = useState(share);
  const [form, setForm] = useState(() => formOf(share, target.span));
  const [savedPassword, setSavedPassword] = useState(password);
  const [isTried, setTried] = useState(false);
  const [isPending, setPending] = useState(false);
  const [notice, setNotice] = useState<string | null>(null);
  const { isGrowing } = target;
  const [nowMs] = useState(() => Date.now());
  const context = { share: based, policy, durationMs: target.durationMs, nowMs };
  const read = readForm(form, context);
  const changes = read.changes ?? {};
  const terms = read.changes && termsAfter(based, read.changes, nowMs);
  const isDirty = read.problems !== null || Object.keys(changes).length > 0;

  const showVersion = (stored: Share) => {
    setBased(stored);
    setForm(formOf(stored, target.span));
    setTried(false);
  };
  const followElsewhere = (stored: Share) => {
    // The password may have been changed elsewhere too.
    if (!isNewAddress(based, stored)) setSavedPassword(null);
    showVersion(stored);
  };
  // Nothing is lost by following a change from elsewhere.
  if (share.revision > based.revision && !isDirty && !isPending) followElsewhere(share);

  const fail = async (error: unknown) => {
    const stored = await storedNow(based);
    const isNewer = stored !== undefined && stored.revision !== based.revision;
    if (isNewer) followElsewhere(stored);
    setNotice(
      isNewer || isChangedElsewhere(error)
        ? t`The link was changed elsewhere. You see the newer version.`
        : messageOf(error),
    );
  };
  const submit = async (sent: ShareChanges): Promise<Share | null> => {
    if (isPending) return null;
    setPending(true);
    setNotice(null);
    try {
      const saved = await changeLink(based, sent);
      showVersion(saved);
      if (sent.password !== undefined) setSavedPassword(sent.password);
      showToast({ message: () => t`Link changed`, tone: 'success' });
      return saved;
    } catch (error) {
      await fail(error);
      return null;
    } finally {
      setPending(false);
    }
  };
  const save = async () => {
    setTried(true);
    if (read.changes) return submit(read.changes);
    announce(t`Check the form: something needs fixing.`);
    return null;
  };
  return {
    share: based,
    policy,
    form,
    set: (fields) => setForm((before) => ({ ...before, ...fields })),
    offers: offersOf(form, context),
    isGrowing,
    isDirty,
    isPending,
    problems: (isTried && read.problems) || {},
    summary: terms && summaryOf(terms, { i18n, isGrowing }).join(' '),
    notice,
    savedPassword,
    save,
    send: (sent) => void submit(sent),
  };
}
