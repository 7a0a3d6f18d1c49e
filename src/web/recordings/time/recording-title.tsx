import { useLingui } from '@lingui/react';
import { UserText } from '#web/ui/text/user-text.tsx';
import { titleText, type Titled } from './title-text.ts';

/** The title of a recording. Rerenders when the language changes. */
export function RecordingTitle({ of }: { of: Titled }) {
  useLingui();
  return <UserText>{titleText(of)}</UserText>;
}
