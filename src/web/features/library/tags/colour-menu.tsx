import { useLingui } from '@lingui/react/macro';
import { labelColours } from '#base/labels/label.ts';
import type { Tag } from '#contract/library-api.ts';
import { useColourNames } from '#web/i18n/use-colour-names.ts';
import { MenuButton } from '#web/ui/overlays/menu-button.tsx';
import { TagDot } from './tag-dot.tsx';

type Colour = Tag['colour'];

/** A menu that shows and changes the colour of a tag. */
export function ColourMenu({ colour, onChange }: { colour: Colour; onChange: (colour: Colour) => void }) {
  const { t } = useLingui();
  const names = useColourNames();
  const name = names[colour];
  return (
    <MenuButton
      label={t`Colour: ${name}`}
      icon={<TagDot colour={colour} />}
      selected={colour}
      items={labelColours.map((id) => ({
        id,
        label: names[id],
        icon: <TagDot colour={id} />,
        onAction: () => onChange(id),
      }))}
    />
  );
}
