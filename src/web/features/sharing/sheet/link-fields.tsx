import { useLingui } from '@lingui/react/macro';
import { limits } from '#contract/limits.ts';
import type { ShareDownload } from '#contract/shares.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { daysOffered } from '#web/features/sharing/terms/expiry-choices.ts';
import { downloadAfter } from '#web/features/sharing/terms/share-form.ts';
import { useProblemMessages } from './use-problem-messages.ts';
import type { LinkForm } from './use-link-form.ts';
import styles from './sheet.module.css';

/** The name of a link in the lists of its owner. `number` names a link without one. */
export function NameField({ link: { form, set }, number }: { link: LinkForm; number: number }) {
  const { t } = useLingui();
  const format = useFormat();
  const count = format.number(number);
  return (
    <TextField
      label={t`Name of the link`}
      description={t`Such as its recipient. Listeners don’t see it.`}
      name="link-name"
      maxLength={limits.share.labelLength}
      placeholder={t`Link ${count}`}
      value={form.recipientLabel}
      onChange={(recipientLabel) => set({ recipientLabel })}
    />
  );
}

/** The settings that most links need: name, part, end, and download. */
export function LinkFields({ link, number }: { link: LinkForm; number: number }) {
  const { t } = useLingui();
  const { form, set, offers } = link;
  const downloads: Record<ShareDownload, string> = {
    off: t`Only listen`,
    audio: t`Download it`,
    formats: t`Download it in several formats`,
    original: t`Download it and the original file`,
  };
  return (
    <div className={styles.fields}>
      <NameField link={link} number={number} />
      <PartFields link={link} />
      <ExpirySelect link={link} />
      <Select
        label={t`Listeners may`}
        value={downloadAfter(form, offers.downloads)}
        options={offers.downloads.map((value) => ({ value, label: downloads[value] }))}
        onChange={(value) => set({ download: value })}
      />
    </div>
  );
}

/** The whole recording, or a part of it. */
export function PartFields({ link: { form, set, problems } }: { link: LinkForm }) {
  const { t } = useLingui();
  const problemMessages = useProblemMessages();
  return (
    <>
      <Select
        label={t`Shared part`}
        value={form.isPart ? 'part' : 'whole'}
        options={[
          { value: 'whole', label: t`Whole recording` },
          { value: 'part', label: t`Only a part` },
        ]}
        onChange={(value) => set({ isPart: value === 'part' })}
      />
      {form.isPart && (
        <div className={styles.pair}>
          <TextField
            label={t({ message: 'From', context: 'time in a recording' })}
            name="from"
            inputMode="decimal"
            value={form.from}
            onChange={(from) => set({ from })}
            errorMessage={problems.from && problemMessages[problems.from]}
          />
          <TextField
            label={t({ message: 'To', context: 'time in a recording' })}
            name="to"
            inputMode="decimal"
            description={t`Leave empty for the end.`}
            value={form.to}
            onChange={(to) => set({ to })}
            errorMessage={problems.to && problemMessages[problems.to]}
          />
        </div>
      )}
    </>
  );
}

/** When the link ends. */
export function ExpirySelect({ link: { form, set, share, policy } }: { link: LinkForm }) {
  const { t } = useLingui();
  const format = useFormat();
  const until = share.expiresAt === null ? null : format.dateTime(share.expiresAt);
  const inDays = new Intl.RelativeTimeFormat(format.locale, { numeric: 'always' });
  const never = t({ message: 'Never', comment: 'When a link expires' });
  const options = [
    { value: 'stored', label: until ?? never },
    ...daysOffered(policy).map((days) => ({ value: String(days), label: inDays.format(days, 'day') })),
    ...(policy.longestDays === null && until !== null ? [{ value: 'never', label: never }] : []),
  ];
  return (
    <Select
      label={t`Expires`}
      value={String(form.expiry)}
      options={options}
      onChange={(value) => set({ expiry: value === 'stored' || value === 'never' ? value : Number(value) })}
    />
  );
}
