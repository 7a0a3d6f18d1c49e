// One file that ../later.tsx fetches: these come together, in one answer.
export { RefusedPanel } from '../refused/refused-panel.tsx';
export { ResultCard } from '../screen/result-card.tsx';
export { RecoveredNotice } from './recovered-notice.tsx';
export { UnclaimedNotice } from './unclaimed-notice.tsx';
export { TakeNotices } from './take-notices.tsx';
export { MicrophoneTestButton } from '../audio/microphone-test-button.tsx';
export { RoomHint } from '../audio/room-hint.tsx';
export { MarkerList } from '../screen/marker-list.tsx';
