import { Trans, useLingui } from '@lingui/react/macro';
import { embedCode } from '#contract/embed-code.ts';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { ReadOnlyText } from './read-only-text.tsx';
import { useProblemMessages } from './use-problem-messages.ts';
import type { LinkForm } from './use-link-form.ts';
import styles from './sheet.module.css';

/** The websites that may show the player, and the code for them. */
export function EmbedFields({ link: { form, set, share, offers, problems } }: { link: LinkForm }) {
  const { t } = useLingui();
  const problemMessages = useProblemMessages();
  const options = [
    { value: 'none', label: t({ message: 'No website', comment: 'Which websites may show the player' }) },
    ...(offers.mayEmbed
      ? ([
          { value: 'listed', label: t`Only these websites` },
          { value: 'any', label: t`Any website` },
        ] as const)
      : []),
  ] as const;
  const code = share.embed !== null && share.url !== null ? embedCode(share.url).html : null;
  return (
    <>
      <Select
        label={t`Websites that can show the player`}
        value={offers.mayEmbed ? form.embed : 'none'}
        isDisabled={!offers.mayEmbed}
        options={options}
        onChange={(embed) => set({ embed })}
      />
      {!offers.mayEmbed && (
        <p className={styles.hint}>
          <Trans>
            Websites can show only links that anyone can open, without a password or a limit of listens.
          </Trans>
        </p>
      )}
      {offers.mayEmbed && form.embed === 'listed' && (
        <TextField
          label={t`Addresses of the websites`}
          description={t`Separate addresses with commas.`}
          name="origins"
          inputMode="url"
          autoComplete="off"
          value={form.origins}
          onChange={(origins) => set({ origins })}
          errorMessage={problems.origins && problemMessages[problems.origins]}
        />
      )}
      {code !== null && (
        <div className={styles.code}>
          <ReadOnlyText label={t`Code for the website`} text={code} rows={3} />
          <CopyButton text={code}>
            <Trans>Copy code</Trans>
          </CopyButton>
          <p className={styles.hint}>
            <Trans>The address of the link also opens outside of these websites.</Trans>
          </p>
        </div>
      )}
    </>
  );
}
