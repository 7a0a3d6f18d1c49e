import {
  listeningPageAttribute,
  pagePartAttribute,
  type ListeningPage,
  type PagePart,
} from '#contract/listening-page.ts';

/** The parts of the player that the script controls. `goLive` and `unlock` are not on every page. */
export interface PlayerParts {
  player: HTMLElement;
  stage: HTMLElement;
  audio: HTMLAudioElement;
  wave: HTMLElement;
  canvas: HTMLCanvasElement;
  position: HTMLElement;
  length: HTMLElement;
  play: HTMLButtonElement;
  back: HTMLButtonElement;
  forward: HTMLButtonElement;
  speed: HTMLSelectElement;
  status: HTMLElement;
  retry: HTMLButtonElement;
  offRecord: HTMLElement;
  live: HTMLElement | null;
  goLive: HTMLButtonElement | null;
  unlock: HTMLFormElement | null;
}

export const partOf = <Name extends Element>(name: PagePart, page: Document = document): Name | null =>
  page.querySelector<Name>(`[${pagePartAttribute}="${name}"]`);

/** @throws Error if the page lacks the part */
function requiredPart<Name extends Element>(name: PagePart): Name {
  const found = partOf<Name>(name);
  if (!found) throw new Error(`the page has no part ${name}`);
  return found;
}

/** Finds the player with the data that the server wrote into it; null on a page without one. */
export function findPlayer(): { parts: PlayerParts; page: ListeningPage } | null {
  const player = partOf<HTMLElement>('player');
  const stage = player?.querySelector<HTMLElement>('.stage');
  if (!player || !stage) return null;
  return {
    page: JSON.parse(player.getAttribute(listeningPageAttribute) ?? '{}') as ListeningPage,
    parts: {
      player,
      stage,
      audio: requiredPart('audio'),
      wave: requiredPart('wave'),
      canvas: requiredPart('canvas'),
      position: requiredPart('position'),
      length: requiredPart('length'),
      play: requiredPart('play'),
      back: requiredPart('back'),
      forward: requiredPart('forward'),
      speed: requiredPart('speed'),
      status: requiredPart('status'),
      retry: requiredPart('retry'),
      offRecord: requiredPart('off-record'),
      live: partOf('live'),
      goLive: partOf('go-live'),
      unlock: partOf('unlock'),
    },
  };
}

/** The times of elements that have one, in the order of the page. */
export const timesOf = <Name extends string>(attribute: Name): { element: HTMLElement; ms: number }[] =>
  [...document.querySelectorAll<HTMLElement>(`[${attribute}]`)].map((element) => ({
    element,
    ms: Number(element.getAttribute(attribute)),
  }));
