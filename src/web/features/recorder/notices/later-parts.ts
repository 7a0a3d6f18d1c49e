// One file that ../later.tsx fetches: these come together, in one answer.
export { PermissionPanel } from '#web/features/recorder/permission/permission-panel.tsx';
export { ResultCard } from '#web/features/recorder/screen/result-card.tsx';
export { RecoveredNotice } from './recovered-notice.tsx';
export { UnclaimedNotice } from './unclaimed-notice.tsx';
export { SafetyPill } from './safety-pill.tsx';
export { TakeNotices } from './take-notices.tsx';
export { MicrophoneTestDialog } from '#web/features/recorder/level/microphone-test-dialog.tsx';
export { SpaceHint } from '#web/features/recorder/audio/space-hint.tsx';
export { LevelBar } from '#web/features/recorder/live/level-meter.tsx';
export { LiveWave } from '#web/features/recorder/live/live-wave.tsx';
export { NewMarkerField } from '#web/features/recorder/screen/marker-list.tsx';
export { TakeLabels } from '#web/features/recorder/labels/take-labels.tsx';
export { IdleLevel, LevelSwitch } from '#web/features/recorder/level/level-check.tsx';
export { RunningChips } from '#web/features/recorder/screen/running-chips.tsx';
