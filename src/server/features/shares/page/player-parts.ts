import type { I18n } from '@lingui/core';
import { second } from '#base/duration.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { listeningPageAttribute, type ListeningPage, type PagePart } from '#contract/listening-page.ts';
import { audioSectionCount } from '#contract/audio-sections.ts';
import { limits } from '#contract/limits.ts';
import type { SharedRecording } from '#contract/shares.ts';
import { markup, type Html } from './html.ts';
import { backIcon, forwardIcon, playIcons } from './icons.ts';
import { controlTexts, scriptTexts } from './listening-texts.ts';

const speeds = [0.75, 1, 1.25, 1.5, 1.75, 2];

const part = (name: PagePart): Html => markup` data-part="${name}"`;

interface Played {
  recording: SharedRecording;
  linkPath: string;
}

const sectionMs = limits.audioSectionMs;

/** The address of one section of the audio; of all of it if it is not longer than one. */
const sectionPath = ({ recording, linkPath }: Played, section: number): string =>
  `${linkPath}/audio${audioSectionCount(recording.durationMs, sectionMs) > 1 ? `?section=${section}` : ''}`;

/** The address of the audio that starts at a moment (Media Fragments 1.0, 4.2.1). */
export function audioPathAt(played: Played, atMs: number): string {
  const last = audioSectionCount(played.recording.durationMs, sectionMs) - 1;
  const section = Math.min(last, Math.floor(atMs / sectionMs));
  return `${sectionPath(played, section)}#t=${Math.floor((atMs - section * sectionMs) / 100) / 10}`;
}

function speedSelect(i18n: I18n, label: string): Html {
  const number = new Intl.NumberFormat(i18n.locale);
  const options = speeds.map((speed) => {
    const selected = speed === 1 ? markup` selected` : null;
    return markup`<option value="${speed}"${selected}>${number.format(speed)}×</option>`;
  });
  return markup`<select${part('speed')} dir="ltr" aria-label="${label}">${options}</select>`;
}

/** The controls, which the script shows in place of the browser's own player. */
function stage(i18n: I18n, { durationMs, state }: SharedRecording): Html {
  const texts = controlTexts(i18n);
  const play = scriptTexts(i18n).play;
  const isLive = state === 'live';
  return markup`<div class="stage" hidden>
<div class="wave"${part('wave')} role="slider" tabindex="0" dir="ltr" aria-label="${texts.position}" aria-valuemin="0" aria-valuemax="${durationMs}" aria-valuenow="0"><canvas${part('canvas')} aria-hidden="true"></canvas></div>
<div class="times" dir="ltr" aria-hidden="true"><span${part('position')}>${formatTimecode(0)}</span><span${part('length')}>${formatTimecode(durationMs)}</span></div>
<div class="transport" dir="ltr">
<button type="button" class="skip"${part('back')} aria-label="${texts.back}">${backIcon}</button>
<button type="button" class="play"${part('play')} aria-label="${play}">${playIcons}</button>
<button type="button" class="skip"${part('forward')} aria-label="${texts.forward}">${forwardIcon}</button>
</div>
<div class="extras">${speedSelect(i18n, texts.speed)}${isLive && markup`<button type="button" class="quiet"${part('go-live')}>${texts.goLive}</button>`}</div>
</div>`;
}

const oggSource = (path: string): Html => markup`<source src="${path}" type="audio/ogg; codecs=opus">`;
const m4aSource = (path: string): Html => markup`<source src="${path}" type="audio/mp4">`;

/** The browser's own player, for pages without a script: Ogg, then M4A for browsers without Ogg/Opus. */
function nativePlayer(played: Played): Html {
  const { recording, linkPath } = played;
  const m4aPath = recording.hasM4a && recording.state === 'complete' ? `${linkPath}/audio?format=m4a` : null;
  const count = audioSectionCount(recording.durationMs, sectionMs);
  if (count === 1)
    return markup`<audio${part('audio')} controls preload="none">${oggSource(sectionPath(played, 0))}${m4aPath && m4aSource(m4aPath)}</audio>`;
  const sections = Array.from({ length: count }, (_, section) => {
    const [startMs, endMs] = [section * sectionMs, Math.min((section + 1) * sectionMs, recording.durationMs)];
    const times = `${formatTimecode(startMs)}–${formatTimecode(endMs)}`;
    // M4A has no sections; the fragment plays its share.
    const m4a = m4aPath && m4aSource(`${m4aPath}#t=${startMs / second},${endMs / second}`);
    return markup`<li><span dir="ltr">${times}</span><audio${section === 0 && part('audio')} controls preload="none" aria-label="${times}">${oggSource(sectionPath(played, section))}${m4a}</audio></li>`;
  });
  return markup`<ol class="sections">${sections}</ol>`;
}

/** On a link with a limited number of listens, the audio is served only after a listen was started by a press. */
function startForm(i18n: I18n, linkPath: string): Html {
  const texts = controlTexts(i18n);
  return markup`<p class="limit">${texts.limited}</p><form class="start" method="post" action="${linkPath}/listens?lang=${i18n.locale}"><button class="quiet">${texts.startListening}</button></form>`;
}

/** Renders the player with everything that its script needs. */
export function renderPlayer(
  i18n: I18n,
  {
    recording,
    linkPath,
    embed,
  }: { recording: SharedRecording; linkPath: string; embed: ListeningPage['embed'] },
): Html {
  const { state, title, durationMs, isCounted, hasM4a, isOffRecord } = recording;
  const texts = controlTexts(i18n);
  const data: ListeningPage = {
    linkPath,
    embed,
    sectionMs,
    recording: { state, title, durationMs, isCounted, hasM4a, isOffRecord },
    texts: scriptTexts(i18n),
  };
  const attribute = markup`${listeningPageAttribute}="${JSON.stringify(data)}"`;
  return markup`<section class="player"${part('player')} aria-label="${texts.player}" ${attribute}>
${stage(i18n, recording)}
${isCounted && embed === null && startForm(i18n, linkPath)}
${nativePlayer({ recording, linkPath })}
<p class="off-record" role="status"${part('off-record')}>${isOffRecord && data.texts.offRecord}</p>
<p class="status" role="status"${part('status')}></p>
<button type="button" class="quiet"${part('retry')} hidden>${texts.retry}</button>
</section>`;
}
