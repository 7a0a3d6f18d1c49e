import type { WritableStore } from '#base/store.ts';
import { userScope } from '#web/api/user-scope.ts';
import { selection } from '#web/features/player/engine/selection.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

const isOn = userScope.createStore(false);
let applied = '';

/** Sets the loop of the player: the selection, or else the whole recording unless it is live. */
function apply(): void {
  const { track, durationMs } = player.getSnapshot();
  const whole = track && !track.growing && durationMs > 0 ? { fromMs: 0, toMs: durationMs } : null;
  const loop = isOn.getSnapshot() ? (selection.getSnapshot() ?? whole) : null;
  const key = loop ? `${track?.id}/${loop.fromMs}/${loop.toMs}` : '';
  if (key === applied) return;
  applied = key;
  player.setLoop(loop);
}

// The end of a session turns the switch off, and this subscription applies that.
isOn.subscribe(apply);
selection.subscribe(apply);
player.subscribe(apply);

/** Whether the selection, or else the whole recording, is looped. Lasts until the page closes. */
export const looping: WritableStore<boolean> = {
  ...isOn,
  set(next) {
    isOn.set(next);
    const chosen = selection.getSnapshot();
    const atMs = player.positionMs();
    if (next && chosen && (atMs < chosen.fromMs || atMs >= chosen.toMs)) player.seek(chosen.fromMs);
    apply();
  },
};
