import { lazy } from 'react';

/** What the first screen can do without until a take runs or was found; fetched while the page rests. */
const parts = () => import('./notices/later-parts.ts');

export const RefusedPanel = lazy(async () => ({ default: (await parts()).RefusedPanel }));
export const ResultCard = lazy(async () => ({ default: (await parts()).ResultCard }));
export const RecoveredNotice = lazy(async () => ({ default: (await parts()).RecoveredNotice }));
export const UnclaimedNotice = lazy(async () => ({ default: (await parts()).UnclaimedNotice }));
export const TakeNotices = lazy(async () => ({ default: (await parts()).TakeNotices }));
export const MarkerList = lazy(async () => ({ default: (await parts()).MarkerList }));

export const MicrophoneTestButton = lazy(async () => ({ default: (await parts()).MicrophoneTestButton }));
export const RoomHint = lazy(async () => ({ default: (await parts()).RoomHint }));

const fetchAll = () => { parts().catch(() => undefined); };

if (typeof requestIdleCallback === 'function') requestIdleCallback(fetchAll, { timeout: 2000 });
else setTimeout(fetchAll, 500);
