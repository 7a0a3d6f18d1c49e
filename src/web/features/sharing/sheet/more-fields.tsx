import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '#contract/limits.ts';
import type { SharePreview } from '#contract/shares.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextArea } from '#web/ui/controls/text-area.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { shownThings, thingMessages } from '#web/features/sharing/terms/shown-things.ts';
import { EmbedFields } from './embed-fields.tsx';
import { LiveFields } from './live-fields.tsx';
import { useProblemMessages } from './use-problem-messages.ts';
import type { LinkForm } from './use-link-form.ts';
import styles from './sheet.module.css';

/** The settings that few links need. `isHeld`: the link is closed since Stop, until its owner opens it. */
export function MoreFields({ link, isHeld }: { link: LinkForm; isHeld: boolean }) {
  const hasProblem = ['people', 'maxListens', 'origins'].some((field) => field in link.problems);
  const [hadProblem, setHadProblem] = useState(hasProblem);
  const [isOpen, setOpen] = useState(hasProblem);
  if (hasProblem !== hadProblem) {
    setHadProblem(hasProblem);
    // A corrected field may have the focus, so the fields stay open.
    if (hasProblem) setOpen(true);
  }
  return (
    <>
      {isHeld && (
        <Button isPending={link.isPending} onPress={() => link.send({ isReleased: true })}>
          <Trans>Open the link now</Trans>
        </Button>
      )}
      {link.isGrowing === true && <LiveFields link={link} />}
      <details
        className={styles.details}
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <Trans>More options</Trans>
        </summary>
        <div className={styles.fields}>
          <ShownChoice link={link} />
          {link.share.maxListens !== null && <ListensField link={link} />}
          <TextFields link={link} />
          <PreviewSelect link={link} />
          <EmbedFields link={link} />
        </div>
      </details>
    </>
  );
}

function ShownChoice({ link: { form, set } }: { link: LinkForm }) {
  const { i18n } = useLingui();
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>
        <Trans>Listeners see</Trans>
      </legend>
      <div className={styles.checks}>
        {shownThings.map((thing) => (
          <Checkbox
            key={thing}
            label={i18n._(thingMessages[thing])}
            isSelected={form.shows[thing]}
            onChange={(isShown) => set({ shows: { ...form.shows, [thing]: isShown } })}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Who may listen. */
export function AudienceFields({ link: { form, set, policy, problems } }: { link: LinkForm }) {
  const { t } = useLingui();
  const problemMessages = useProblemMessages();
  const options = [
    ...(policy.links === 'users' ? [] : [{ value: 'anyone' as const, label: t`Anyone with the link` }]),
    { value: 'installation' as const, label: t`Anyone with an account on this server` },
    { value: 'named' as const, label: t`Only people I name` },
  ];
  return (
    <>
      <Select
        label={t`Who can listen`}
        value={form.audience}
        options={options}
        onChange={(audience) => set({ audience })}
      />
      {form.audience === 'named' && (
        <TextField
          label={t`Email addresses of their accounts`}
          description={t`Separate addresses with commas.`}
          name="people"
          inputMode="email"
          autoComplete="off"
          value={form.people}
          onChange={(people) => set({ people })}
          errorMessage={problems.people && problemMessages[problems.people]}
        />
      )}
    </>
  );
}

/** A limit that the link has from an earlier version. Its owner may change it, or remove it for good. */
function ListensField({ link: { form, set, problems } }: { link: LinkForm }) {
  const { t } = useLingui();
  const problemMessages = useProblemMessages();
  return (
    <TextField
      label={t`Number of listens`}
      description={t`Leave empty for no limit.`}
      name="listens"
      inputMode="numeric"
      value={form.maxListens}
      onChange={(maxListens) => set({ maxListens })}
      errorMessage={problems.maxListens && problemMessages[problems.maxListens]}
    />
  );
}

function TextFields({ link: { form, set, share } }: { link: LinkForm }) {
  const { t } = useLingui();
  const { number } = useFormat();
  const charactersLeft = number(limits.share.messageLength - form.message.length);
  return (
    <>
      <TextField
        label={t`Title for listeners`}
        name="title"
        maxLength={limits.titleLength}
        placeholder={share.recordingTitle}
        value={form.title}
        onChange={(title) => set({ title })}
      />
      <TextArea
        label={t`Message to listeners`}
        description={t`Characters left: ${charactersLeft}`}
        name="message"
        maxLength={limits.share.messageLength}
        value={form.message}
        onChange={(message) => set({ message })}
      />
    </>
  );
}

function PreviewSelect({ link: { form, set, offers } }: { link: LinkForm }) {
  const { t } = useLingui();
  const previews: Record<SharePreview, string> = {
    none: t({ message: 'None', comment: 'What other apps show of a link' }),
    text: t`Title and length`,
    sound: t`Title, length and sound`,
  };
  const offered: readonly SharePreview[] = offers.mayPreview ? ['none', 'text', 'sound'] : ['none'];
  return (
    <Select
      label={t`Preview in other apps`}
      value={offers.mayPreview ? form.preview : 'none'}
      isDisabled={!offers.mayPreview}
      options={offered.map((value) => ({ value, label: previews[value] }))}
      onChange={(preview) => set({ preview })}
    />
  );
}
