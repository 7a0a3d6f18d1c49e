import { useState, useId } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Star } from 'lucide-react';
import type { Tag } from '#contract/library-api.ts';
import type { Recording } from '#contract/recordings.ts';
import { PressButton } from '#web/ui/controls/press-button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TagChoices } from '#web/features/library/tags/tag-choices.tsx';
import { lengthNames, lengthOf, lengths, type Length } from './lengths.ts';
import { sources, type LibraryView } from './library-view.ts';
import { periods, type Period } from './periods.ts';
import type { Facets } from './use-facets.ts';
import { useFilterMessages } from './use-filter-messages.ts';
import styles from './view.module.css';
import tagStyles from '#web/features/library/tags/tags.module.css';

const offeredStates: readonly Recording['state'][] = [
  'ready',
  'receiving',
  'finishing',
  'abandoned',
  'failed',
];

export interface FilterFieldsProps {
  view: LibraryView;
  facets: Facets | null;
  tags: readonly Tag[];
  onChange: (view: LibraryView) => void;
  onManageTags: () => void;
}

/** All filters of the list. */
export function FilterFields({ view, facets, tags, onChange, onManageTags }: FilterFieldsProps) {
  const { t } = useLingui();
  const messages = useFilterMessages();
  const languages = [
    ...new Set([
      ...(facets?.languages ?? []).map(({ language }) => language ?? 'und'),
      ...(view.language === null ? [] : [view.language]),
    ]),
  ];
  const all = <T extends string>(label: string, options: readonly { value: T; label: string }[]) => [
    { value: '' as const, label },
    ...options,
  ];
  return (
    <div className={styles.fields}>
      <Favourites view={view} count={facets?.favourites} onChange={onChange} />
      <DateFields view={view} onChange={onChange} />
      <Select<Length | ''>
        label={t`Length`}
        value={lengthOf(view) ?? ''}
        options={all(
          t`Any length`,
          lengthNames.map((value) => ({ value, label: messages.lengths[value] })),
        )}
        onChange={(value) =>
          onChange({ ...view, ...(value === '' ? { minMs: null, maxMs: null } : lengths[value]) })
        }
      />
      <Select<Recording['state'] | ''>
        label={t({ message: 'Status', comment: 'Of a recording: on the server, interrupted …' })}
        value={view.states[0] ?? ''}
        options={all(
          t`Any status`,
          offeredStates.map((value) => ({ value, label: messages.states[value] })),
        )}
        onChange={(value) => onChange({ ...view, states: value === '' ? [] : [value] })}
      />
      <Select<Recording['source'] | ''>
        label={t({ message: 'Source', comment: 'Where a recording comes from: the microphone, or a file' })}
        value={view.source ?? ''}
        options={all(
          t`Any source`,
          sources.map((value) => ({ value, label: messages.sources[value] })),
        )}
        onChange={(value) => onChange({ ...view, source: value === '' ? null : value })}
      />
      <Select
        label={t`Spoken language`}
        value={view.language ?? ''}
        options={all(
          t`Any language`,
          languages.map((value) => ({ value, label: messages.language(value) })),
        )}
        onChange={(value) => onChange({ ...view, language: value === '' ? null : value })}
      />
      <TagChoices
        className={styles.wide}
        tags={tags}
        chosen={view.tagIds}
        facets={facets}
        onChange={(tagIds) => onChange({ ...view, tagIds })}
        onManage={onManageTags}
      />
    </div>
  );
}

function Favourites({
  view,
  count,
  onChange,
}: Pick<FilterFieldsProps, 'view' | 'onChange'> & { count: number | undefined }) {
  const { t } = useLingui();
  return (
    <div className={styles.wide}>
      <PressButton
        aria-pressed={view.isFavourite}
        className={tagStyles.choice}
        onPress={() => onChange({ ...view, isFavourite: !view.isFavourite })}
      >
        <Star aria-hidden className={styles.star} />
        {t`Favourites`}
        {count !== undefined && <span className={tagStyles.count}>{count}</span>}
      </PressButton>
    </div>
  );
}

function DateFields({ view, onChange }: Pick<FilterFieldsProps, 'view' | 'onChange'>) {
  const { t } = useLingui();
  const messages = useFilterMessages();
  const hasDays = view.from !== null || view.to !== null;
  const [isOwn, setOwn] = useState(hasDays);
  const showsDays = view.period === null && (isOwn || hasDays);
  const options: { value: Period | '' | 'own'; label: string }[] = [
    { value: '', label: t`Any date` },
    ...periods.map((value) => ({ value, label: messages.periods[value] })),
    {
      value: 'own',
      label: t({
        message: 'Date range',
        comment: 'Choice of the date filter: a first and a last day are then entered',
      }),
    },
  ];
  const choose = (value: Period | '' | 'own') => {
    setOwn(value === 'own');
    onChange({
      ...view,
      period: value === '' || value === 'own' ? null : value,
      ...(value === 'own' ? {} : { from: null, to: null }),
    });
  };
  return (
    <>
      <Select
        label={t`Date`}
        value={view.period ?? (showsDays ? 'own' : '')}
        options={options}
        onChange={choose}
      />
      {showsDays && (
        <DayField label={t`From`} day={view.from} onChange={(from) => onChange({ ...view, from })} />
      )}
      {showsDays && <DayField label={t`To`} day={view.to} onChange={(to) => onChange({ ...view, to })} />}
    </>
  );
}

interface DayFieldProps {
  label: string;
  day: string | null;
  onChange: (day: string | null) => void;
}

/** The native date field, which the user knows. */
function DayField({ label, day, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <div className={styles.day}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={day ?? ''}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      />
    </div>
  );
}
