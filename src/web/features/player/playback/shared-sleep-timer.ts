import { userScope } from '#web/api/user-scope.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import { SleepTimer } from './sleep-timer.ts';

/** The page's sleep timer. */
export const sleepTimer = new SleepTimer(player, {
  nowMs: () => Date.now(),
  every(ms, action) {
    const timer = setInterval(action, ms);
    return () => clearInterval(timer);
  },
});
userScope.onSessionEnd(() => sleepTimer.set('off'));
