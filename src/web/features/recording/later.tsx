import { lazy } from 'react';

/** What the first screen can do without until a take runs or was found; fetched ahead while the page rests. */
export const loadLaterParts = () => import('./notices/later-parts.ts');

export const RefusedPanel = lazy(async () => ({ default: (await loadLaterParts()).RefusedPanel }));
export const ResultCard = lazy(async () => ({ default: (await loadLaterParts()).ResultCard }));
export const RecoveredNotice = lazy(async () => ({ default: (await loadLaterParts()).RecoveredNotice }));
export const UnclaimedNotice = lazy(async () => ({ default: (await loadLaterParts()).UnclaimedNotice }));
export const TakeNotices = lazy(async () => ({ default: (await loadLaterParts()).TakeNotices }));
export const SafetyPill = lazy(async () => ({ default: (await loadLaterParts()).SafetyPill }));
export const TakeLabels = lazy(async () => ({ default: (await loadLaterParts()).TakeLabels }));

export const MicrophoneTestDialog = lazy(async () => ({ default: (await loadLaterParts()).MicrophoneTestDialog }));
export const RoomHint = lazy(async () => ({ default: (await loadLaterParts()).RoomHint }));
