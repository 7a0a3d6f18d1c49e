// The components that lazy-parts.tsx loads together, in one chunk.
export { RejectedTake } from '#web/features/recorder/permission/rejected-take.tsx';
export { ResultCard } from '#web/features/recorder/screen/result-card.tsx';
export { RecoveredNotice } from './notices/recovered-notice.tsx';
export { UnclaimedNotice } from './notices/unclaimed-notice.tsx';
export { TakeNotices } from './notices/take-notices.tsx';
export { BeforeTakeHints } from '#web/features/recorder/settings/before-take-hints.tsx';
export { TakeLevel, TakeSafetyPill, TakeWave } from '#web/features/recorder/screen/take-displays.tsx';
export { NewMarkerField } from '#web/features/recorder/labels/marker-list.tsx';
export { TakeLabels } from '#web/features/recorder/labels/take-labels.tsx';
export { IdleLevel, LevelSwitch } from '#web/features/recorder/settings/level-check.tsx';
export { AudiencePanel } from '#web/features/recorder/screen/audience-panel.tsx';
export { RunningChips } from '#web/features/recorder/screen/running-chips.tsx';
export { ForeignTakeHint, ForeignTakeTitle } from './screen/foreign-take.tsx';
export { BelowStage } from './screen/below-stage.tsx';
export { TabOwnerHint } from './notices/tab-owner-hint.tsx';
export { OtherOwnersNotice } from '#web/recordings/owners/other-owners.tsx';
export { OtherTabNotice } from './other-tabs/other-tab-notice.tsx';
