// One file that ../later.tsx fetches: these come together, in one answer.
export { RefusedPanel } from '../refused/refused-panel.tsx';
export { ResultCard } from '../screen/result-card.tsx';
export { TakeMenu } from '../screen/take-menu.tsx';
export { RecoveredNotice } from './recovered-notice.tsx';
export { UnclaimedNotice } from './unclaimed-notice.tsx';
export { SafetyPill } from './safety-pill.tsx';
export { TakeNotices } from './take-notices.tsx';
export { MicrophoneTest } from '../audio/microphone-test.tsx';
export { RoomHint } from '../audio/room-hint.tsx';
export { LevelMeter } from '../live/level-meter.tsx';
export { LiveWave } from '../live/live-wave.tsx';
export { NewMarker } from '../screen/marker-list.tsx';
export { AddNoteButton } from '../labels/add-note-button.tsx';
export { TakeLabels } from '../labels/take-labels.tsx';
export { UsedAudio } from '../screen/used-audio.tsx';
export { IdleLevel, LevelSwitch } from '../level/level-check.tsx';
