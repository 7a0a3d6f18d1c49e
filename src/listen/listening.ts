import { second } from '#base/duration.ts';
import { isPlayable, type ListeningPage } from '#contract/listening-page.ts';
import { type AudioFormat, playableFormats } from './audio-format.ts';
import { loudnessOf, overviewBytes } from './bars.ts';
import { bindControls, setText, showPlayback } from './controls.ts';
import { connectEmbed } from './embed-messages.ts';
import { LinkClient } from './link-client.ts';
import { LinkFollower } from './link-follower.ts';
import './listening.css';
import { isSlowLine } from './line-speed.ts';
import { showLocalDates } from './local-dates.ts';
import { loadMoreLabels } from './more-labels.ts';
import { findPlayer, timesOf, type PlayerParts } from './page-parts.ts';
import { Playback, type AfterRejection } from './playback.ts';
import { UnlockPanel } from './unlock-panel.ts';
import { Wave } from './wave.ts';

/** Audio this close to the end of a live recording counts as live, and so far from it playback joins. */
const liveEdgeMs = 8 * second;
const peaksEveryMs = 5 * second;
/** How long to wait before the server is asked again whether the M4A is ready. */
const askAgainMs = 5 * second;

/** A moment as in an address (Media Fragments 1.0, 4.2.1), in seconds with tenths. */
const fragmentOf = (positionMs: number): string => `t=${Math.floor(positionMs / 100) / 10}`;

/** Loads the page again at the same moment of the recording. */
function reloadAt(positionMs: number): void {
  if (positionMs > 0) history.replaceState(null, '', `#${fragmentOf(positionMs)}`);
  location.reload();
}

/** The start from the address, in milliseconds. */
const startOf = (hash: string): number => Number(/^#t=(\d+(?:\.\d+)?)$/.exec(hash)?.[1] ?? 0) * second;

/** The markers of the lists on the page. */
const listedMarkers = () =>
  timesOf('data-marker').map(({ element }) => ({
    atMs: Number(element.dataset['seekMs']),
    colour: element.dataset['marker'] ?? 'blue',
  }));

function showWave(parts: PlayerParts): Wave {
  const wave = new Wave(parts.canvas);
  wave.show({
    markers: listedMarkers(),
    gaps: timesOf('data-gap-ms').map(({ element, ms }) => ({
      atMs: ms,
      durationMs: Number(element.dataset['lengthMs']),
    })),
  });
  return wave;
}

/** Runs the player of an open link. */
class ListeningPlayer {
  readonly #parts: PlayerParts;
  readonly #page: ListeningPage;
  readonly #client: LinkClient;
  readonly #follower: LinkFollower;
  readonly #wave: Wave;
  readonly #playback: Playback;
  readonly #unlock: UnlockPanel | null;
  readonly #report: () => void;
  #isChanged = false;
  /** Whether the server is making M4A for this browser. */
  #isPreparing = false;
  #isOffRecord: boolean;
  readonly #passages = timesOf('data-gap-ms')
    .filter(({ element }) => 'offRecord' in element.dataset)
    .map(({ element, ms }) => ({ atMs: ms, endMs: ms + Number(element.dataset['lengthMs']) }));
  #notice = '';
  #peaksAtMs = -Infinity;

  constructor({ parts, page }: { parts: PlayerParts; page: ListeningPage }) {
    const { linkPath, recording, texts, embed, sectionMs } = page;
    this.#parts = parts;
    this.#page = page;
    this.#isOffRecord = recording.isOffRecord;
    this.#client = new LinkClient(linkPath);
    this.#wave = showWave(parts);
    this.#unlock = parts.unlock && new UnlockPanel(parts.unlock, { client: this.#client, texts });
    this.#follower = new LinkFollower({
      linkPath,
      onChange: () => void this.#handleChange(),
      onPoll: () => void this.#poll(),
      onGrowth: (growth) => this.#grow(growth),
    });
    const canWrite = embed === null;
    const elements = [parts.audio];
    this.#playback = new Playback(
      {
        createElement: () => elements.shift() ?? new Audio(),
        requestFrame: (callback) => setTimeout(callback, second / 4),
        linkPath,
        title: recording.title ?? document.title,
        formats: playableFormats((mediaType) => parts.audio.canPlayType(mediaType), recording),
        sectionMs,
        isSlowLine,
        isCounted: recording.isCounted,
        startListen: async () => canWrite && this.#client.startListen(),
        nowMs: () => performance.now(),
        onWhole: () => {
          if (canWrite) void this.#client.startListen(true);
        },
        onRejected: (format) => this.#handleRejection(format),
        onChange: () => this.#show(),
      },
      { durationMs: recording.durationMs, isGrowing: recording.state === 'live' },
    );
    this.#report = embed === null ? () => undefined : connectEmbed(this.#playback, embed);
  }

  start(): void {
    const parts = this.#parts;
    parts.audio.controls = false;
    parts.audio.hidden = true;
    parts.player.querySelector('.sections')?.replaceWith(parts.audio);
    parts.stage.hidden = false;
    for (const source of parts.audio.querySelectorAll('source')) source.remove();
    parts.player.querySelector('.start')?.remove();
    bindControls(parts, this.#playback);
    parts.goLive?.addEventListener('click', () => {
      this.#playback.seek(this.#playback.durationMs - liveEdgeMs);
      this.#playback.play();
    });
    for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a'))
      link.addEventListener('click', () => {
        link.hash = fragmentOf(this.#playback.positionMs);
      });
    loadMoreLabels(() => this.#wave.show({ markers: listedMarkers() }));
    this.#playback.seek(startOf(location.hash));
    this.#playback.prepare();
    this.#show();
    void this.#loadPeaks();
  }

  #show(): void {
    const { isRunning, isGrowing, isUnplayable, positionMs, durationMs } = this.#playback;
    const { hasM4a } = this.#page.recording;
    showPlayback(this.#parts, this.#playback, {
      texts: this.#page.texts,
      notice: this.#notice,
      isPreparing: this.#isPreparing,
      isPlayableLater: isGrowing && hasM4a,
    });
    this.#wave.show({ positionMs, durationMs });
    this.#showOffRecord();
    this.#report();
    if (this.#parts.goLive)
      this.#parts.goLive.hidden =
        !isGrowing || isUnplayable || (isRunning && durationMs - positionMs < liveEdgeMs * 2);
    // An open page that is silent needs no connection, unless something can still happen.
    if (isRunning || isGrowing) this.#follower.open();
    else this.#follower.close();
    if (!isRunning && this.#isChanged) reloadAt(positionMs);
  }

  /** Why nothing is heard: at the end of a live recording, or within a passage. */
  #showOffRecord(): void {
    const { isGrowing, positionMs } = this.#playback;
    const { offRecord, offRecordPassage } = this.#page.texts;
    const isWithin = this.#passages.some(({ atMs, endMs }) => positionMs >= atMs && positionMs < endMs);
    const text = isGrowing && this.#isOffRecord ? offRecord : isWithin ? offRecordPassage : '';
    setText(this.#parts.offRecord, text);
  }

  async #loadPeaks(): Promise<void> {
    const { isGrowing, durationMs } = this.#playback;
    if (isGrowing && durationMs - this.#peaksAtMs < peaksEveryMs) return;
    this.#peaksAtMs = durationMs;
    const bytes = await this.#client.peaks(overviewBytes);
    if (bytes !== null) this.#wave.show({ loudness: loudnessOf(bytes) });
  }

  #grow({ durationMs, isOffRecord }: { durationMs: number; isOffRecord: boolean }): void {
    this.#isOffRecord = isOffRecord;
    this.#showOffRecord();
    if (durationMs <= this.#playback.durationMs) return;
    this.#playback.grow({ durationMs, isGrowing: this.#playback.isGrowing });
    void this.#loadPeaks();
  }

  /** Reads the link again: it may have grown, ended, or need its password. */
  async #refresh(): Promise<AfterRejection> {
    const answer = await this.#client.recording();
    // The page of an ended link, the sign-in, and the notice of a held recording come from the server.
    const isPlayerOver =
      answer.kind === 'ok'
        ? !isPlayable(answer.value)
        : answer.kind === 'ended' || answer.kind === 'elsewhere';
    if (isPlayerOver) {
      reloadAt(this.#playback.positionMs);
      return new Promise(() => undefined);
    }
    if (answer.kind === 'locked') {
      if (this.#unlock === null) return 'failed';
      await this.#unlock.ask();
      return 'again';
    }
    if (answer.kind !== 'ok') return 'failed';
    const { state, durationMs } = answer.value;
    if (this.#playback.isGrowing && state === 'complete') {
      this.#notice = this.#page.texts.liveEnded;
      // The complete page has more, such as the downloads.
      this.#isChanged = true;
      this.#parts.live?.remove();
      this.#playback.grow({ durationMs, isGrowing: false });
      void this.#loadPeaks();
    } else this.#grow(answer.value);
    return 'again';
  }

  async #handleRejection(format: AudioFormat | null): Promise<AfterRejection> {
    const after = await this.#refresh();
    if (after === 'failed' || format !== 'm4a') return after;
    this.#isPreparing = true;
    this.#show();
    let answer = await this.#client.m4a();
    while (answer === 'preparing') {
      await new Promise((resolve) => {
        setTimeout(resolve, askAgainMs);
      });
      answer = await this.#client.m4a();
    }
    this.#isPreparing = false;
    return answer === 'ready' ? 'again' : answer;
  }

  /** Reads the link again, and resumes playback that had failed if the server responds. */
  async #poll(): Promise<void> {
    if ((await this.#refresh()) === 'again') this.#playback.nudge();
  }

  /** What the page shows of a changed link is loaded again as soon as nothing plays. */
  async #handleChange(): Promise<void> {
    await this.#poll();
    this.#isChanged ||= !this.#playback.isGrowing;
    this.#show();
  }
}

/** A page that waits for its recording is loaded again when there is something to play. */
function waitForRecording(element: HTMLElement): void {
  const { waiting: linkPath = '', state } = element.dataset;
  const client = new LinkClient(linkPath);
  const refresh = async () => {
    const answer = await client.recording();
    const isSame = answer.kind === 'ok' && answer.value.state === state;
    if (!isSame && answer.kind !== 'unreachable' && answer.kind !== 'limited') location.reload();
  };
  const onChange = () => void refresh();
  new LinkFollower({ linkPath, onChange, onPoll: onChange, onGrowth: onChange }).open();
}

showLocalDates();
const found = findPlayer();
const waiting = document.querySelector<HTMLElement>('[data-waiting]');
if (found) new ListeningPlayer(found).start();
else if (waiting) waitForRecording(waiting);
