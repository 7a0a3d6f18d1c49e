// One file that ../later.tsx fetches: these come together, in one answer.
export { PermissionPanel } from '#web/features/recording/permission/permission-panel.tsx';
export { ResultCard } from '#web/features/recording/screen/result-card.tsx';
export { RecoveredNotice } from './recovered-notice.tsx';
export { UnclaimedNotice } from './unclaimed-notice.tsx';
export { SafetyPill } from './safety-pill.tsx';
export { TakeNotices } from './take-notices.tsx';
export { MicrophoneTestDialog } from '#web/features/recording/level/microphone-test-dialog.tsx';
export { SpaceHint } from '#web/features/recording/audio/space-hint.tsx';
export { LevelBar } from '#web/features/recording/live/level-meter.tsx';
export { LiveWave } from '#web/features/recording/live/live-wave.tsx';
export { NewMarkerField } from '#web/features/recording/screen/marker-list.tsx';
export { TakeLabels } from '#web/features/recording/labels/take-labels.tsx';
export { IdleLevel, LevelSwitch } from '#web/features/recording/level/level-check.tsx';
export { RunningChips } from '#web/features/recording/screen/running-chips.tsx';
