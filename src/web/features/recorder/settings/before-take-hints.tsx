import { HighQualityNotice } from './high-quality.tsx';
import { LockedScreenHint } from './locked-screen-hint.tsx';
import { SpaceHint } from './space-hint.tsx';

/** What the user should know before a take about this device and the chosen quality. */
export function BeforeTakeHints() {
  return (
    <>
      <SpaceHint />
      <LockedScreenHint />
      <HighQualityNotice />
    </>
  );
}
