import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Tag } from '#contract/library-api.ts';
import { limits } from '#contract/limits.ts';
import { codePointLength } from '#base/text.ts';
import { plural } from '@lingui/core/macro';
import { languageOptions } from '#web/i18n/language-options.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { TagChoices } from '#web/features/library/tags/tag-choices.tsx';
import { TagsDialog } from '#web/features/library/tags/tags-dialog.tsx';
import { parsePeople } from './parse-people.ts';
import type { Details } from '#web/features/library/actions/use-bulk-actions.ts';

export interface DetailsDialogProps {
  details: Details;
  tags: readonly Tag[];
  onSave: (details: Details) => void;
  onClose: () => void;
}

const longest = limits.speakerNameLength;
const maxPeople = limits.peoplePerRecording;

/** Edits the speakers, language and tags of a recording. */
export function DetailsDialog({ details, tags, onSave, onClose }: DetailsDialogProps) {
  const { t } = useLingui();
  const format = useFormat();
  const [people, setPeople] = useState(details.people.join(', '));
  const [language, setLanguage] = useState(details.language ?? '');
  const [tagIds, setTagIds] = useState(details.tagIds);
  const [isManagingTags, setManagingTags] = useState(false);
  const handleTagsManaged = () => {
    setManagingTags(false);
    // A tag that was deleted in the tags dialog can't be assigned.
    setTagIds((ids) => ids.filter((id) => tags.some((tag) => tag.id === id)));
  };
  const names = parsePeople(people);
  const problem = () => {
    if (names.length > maxPeople)
      return t`${plural(maxPeople, { one: 'You can name # person at most.', other: 'You can name # people at most.' })}`;
    return names.some((name) => codePointLength(name) > longest)
      ? t`${plural(longest, { one: 'Names can be # character long at most.', other: 'Names can be # characters long at most.' })}`
      : null;
  };
  const handleSubmit = () => {
    if (problem() !== null) return;
    onSave({ people: names, language: language === '' ? null : language, tagIds });
    onClose();
  };
  return (
    <>
      <FormDialog title={<Trans>Edit details</Trans>} onSubmit={handleSubmit} onClose={onClose}>
        <TextField
          label={t({ message: 'People in this recording', context: 'heard in a recording' })}
          description={t`Separate names with commas.`}
          value={people}
          onChange={setPeople}
          errorMessage={problem()}
        />
        <Select
          label={t`Spoken language`}
          value={language}
          options={[{ value: '', label: t`Not set` }, ...languageOptions(format.locale, details.language)]}
          onChange={setLanguage}
        />
        <TagChoices tags={tags} chosen={tagIds} onChange={setTagIds} onManage={() => setManagingTags(true)} />
      </FormDialog>
      {/* Above the form so that typed text stays; outside it so that its own form does not submit this one. */}
      {isManagingTags && (
        <TagsDialog tags={tags} targets={[]} onSave={() => undefined} onClose={handleTagsManaged} />
      )}
    </>
  );
}
