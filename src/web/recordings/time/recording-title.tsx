import { useLingui } from '@lingui/react';
import { UserText } from '#web/ui/text/user-text.tsx';
import { titleText, type Titled } from './title-text.ts';

/** The name of a recording; drawn again in another language when that is chosen. */
export function RecordingTitle({ of }: { of: Titled }) {
  useLingui();
  return <UserText>{titleText(of)}</UserText>;
}
