// One file that ../later.tsx fetches: these come together, in one answer.
export { RefusedPanel } from '../refused/refused-panel.tsx';
export { ResultCard } from '../screen/result-card.tsx';
export { RecoveredNotice } from './recovered-notice.tsx';
export { UnclaimedNotice } from './unclaimed-notice.tsx';
export { SafetyPill } from './safety-pill.tsx';
export { TakeNotices } from './take-notices.tsx';
export { MicrophoneTestDialog } from '../level/microphone-test-dialog.tsx';
export { RoomHint } from '../audio/room-hint.tsx';
export { LevelMeter } from '../live/level-meter.tsx';
export { LiveWave } from '../live/live-wave.tsx';
export { NewMarker } from '../screen/marker-list.tsx';
export { TakeLabels } from '../labels/take-labels.tsx';
export { IdleLevel, LevelSwitch } from '../level/level-check.tsx';
export { RunningChips } from '../screen/running-chips.tsx';
