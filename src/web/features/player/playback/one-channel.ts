import { userScope } from '#web/api/user-scope.ts';
import type { Track } from '#playback/playback-state.ts';
import { boost, player } from '#web/features/player/engine/shared-player.ts';

/** The channel of a recording that is heard alone. */
interface OneChannel {
  /** The recording as it is heard with all channels; null if all channels of every recording are. */
  track: Track | null;
  /** From 0; null for all. */
  channel: number | null;
  /** The browser could not play the file with all channels. */
  hasFailed: boolean;
}

const all: OneChannel = { track: null, channel: null, hasFailed: false };
const choice = userScope.createStore<OneChannel>(all);

/** The channel that is heard alone, as a store. */
export const oneChannel = { subscribe: choice.subscribe, getSnapshot: choice.getSnapshot };

choice.subscribe(() => {
  const { track, channel } = choice.getSnapshot();
  const channels = track?.channels ?? null;
  boost.hear(
    channel === null || channels === null
      ? null
      : { channel, channels: channels.names.length, gain: 10 ** (-channels.quieterByDb / 20) },
  );
});

/** The track with the file that has the chosen channel. */
export function withChosenChannel(track: Track): Track {
  const chosen = choice.getSnapshot();
  if (chosen.track?.id !== track.id) return track;
  choice.set({ ...chosen, track });
  return chosen.channel === null || !track.channels
    ? track
    : { ...track, url: track.channels.url, sections: null };
}

/** Plays what is chosen from the present position on. */
function load(track: Track): void {
  const { status } = player.getSnapshot();
  player.open(withChosenChannel(track));
  if (status === 'playing' || status === 'waiting') player.retry();
}

/**
 * Lets one channel of the player's track be heard alone.
 * @param channel from 0; null for all
 */
export function hearChannel(channel: number | null): void {
  const playing = player.getSnapshot().track;
  const before = choice.getSnapshot();
  const track = before.track?.id === playing?.id ? before.track : playing;
  if (!track?.channels || channel === before.channel) return;
  choice.set({ track, channel, hasFailed: false });
  if ((channel === null) !== (before.channel === null)) load(track);
}

/** All channels are heard again once another file is in the player, or the one with all channels can't be played. */
player.subscribe(() => {
  const { track, channel } = choice.getSnapshot();
  if (track === null) return;
  const { track: playing, failure } = player.getSnapshot();
  const isElsewhere = playing?.id !== track.id || (channel !== null && playing.url !== track.channels?.url);
  if (isElsewhere) choice.set(all);
  else if (channel !== null && failure === 'unplayable') {
    choice.set({ track, channel: null, hasFailed: true });
    player.open(track);
  }
});
