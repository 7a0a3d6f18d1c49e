import { lazy } from 'react';
import { whenIdle } from '#web/api/when-idle.ts';

const { promise: wanted, resolve: want } = Promise.withResolvers<void>();

/** Loads what the first screen can do without until a take runs or was found. */
export const loadLaterParts = () => {
  want();
  return import('./notices/later-parts.ts');
};

/** The same, for what the first screen shows once it has nothing else to do. */
async function loadWhenIdle() {
  await Promise.race([whenIdle(), wanted]);
  return loadLaterParts();
}

export const PermissionPanel = lazy(async () => ({ default: (await loadLaterParts()).PermissionPanel }));
export const ResultCard = lazy(async () => ({ default: (await loadLaterParts()).ResultCard }));
export const TakeNotices = lazy(async () => ({ default: (await loadLaterParts()).TakeNotices }));
export const SafetyPill = lazy(async () => ({ default: (await loadLaterParts()).SafetyPill }));
export const TakeLabels = lazy(async () => ({ default: (await loadLaterParts()).TakeLabels }));
export const NewMarker = lazy(async () => ({ default: (await loadLaterParts()).NewMarkerField }));
export const RunningChips = lazy(async () => ({ default: (await loadLaterParts()).RunningChips }));
export const LevelMeter = lazy(async () => ({ default: (await loadLaterParts()).LevelBar }));

export const RecoveredNotice = lazy(async () => ({ default: (await loadWhenIdle()).RecoveredNotice }));
export const UnclaimedNotice = lazy(async () => ({ default: (await loadWhenIdle()).UnclaimedNotice }));
export const SpaceHint = lazy(async () => ({ default: (await loadWhenIdle()).SpaceHint }));
export const LiveWave = lazy(async () => ({ default: (await loadWhenIdle()).LiveWave }));
export const IdleLevel = lazy(async () => ({ default: (await loadWhenIdle()).IdleLevel }));
export const LevelSwitch = lazy(async () => ({ default: (await loadWhenIdle()).LevelSwitch }));
