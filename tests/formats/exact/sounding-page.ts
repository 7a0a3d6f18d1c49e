import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';

/** Low enough for an analyser to hold four seconds, high enough for every tone of the signal. */
export const heardRateHz = 8000;
const longest = 32_768;

/** The page's own audio element, routed through an analyser. Exists in the page. */
interface Ear {
  element: HTMLMediaElement;
  last(): Float32Array;
}

declare global {
  var ear: Ear | undefined;
}

/** Makes the page route the audio element that its player creates through an analyser. */
export async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(
    ({ rateHz, fftSize }) => {
      globalThis.Audio = class extends Audio {
        constructor(source?: string) {
          super(source);
          const context = new AudioContext({ sampleRate: rateHz });
          const analyser = new AnalyserNode(context, { fftSize });
          context.createMediaElementSource(this).connect(analyser).connect(context.destination);
          const samples = new Float32Array(fftSize);
          globalThis.ear = {
            element: this,
            last() {
              analyser.getFloatTimeDomainData(samples);
              return samples;
            },
          };
        }
      };
    },
    { rateHz: heardRateHz, fftSize: longest },
  );
}

/** Resolves when there has been silence for half a second. */
export async function untilSilent(page: Page): Promise<void> {
  await page.waitForFunction(
    (count) =>
      globalThis.ear
        ?.last()
        .subarray(-count)
        .every((value) => value === 0),
    heardRateHz / 2,
    { polling: 50 },
  );
}

/** The audio since the last silence, once the player has played `forMs` milliseconds from `fromMs`. */
export async function soundOf(
  page: Page,
  { fromMs, forMs }: { fromMs: number; forMs: number },
): Promise<Float32Array> {
  await page.waitForFunction(
    ({ untilMs, sectionMs }) => {
      const { src, currentTime } = globalThis.ear?.element ?? { src: '', currentTime: 0 };
      const section = Number(new URL(src, location.href).searchParams.get('section') ?? 0);
      return section * sectionMs + currentTime * 1000 >= untilMs;
    },
    { untilMs: fromMs + forMs, sectionMs: limits.audioSectionMs },
    { polling: 10 },
  );
  const heard = await page.evaluate(() =>
    Array.from(globalThis.ear?.last() ?? [], (value) => Math.round(value * 32_767)),
  );
  const silence = heardRateHz / 10;
  let onset = heard.length;
  for (let quiet = 0; onset > 0 && quiet < silence; onset -= 1)
    quiet = heard[onset - 1] === 0 ? quiet + 1 : 0;
  return Float32Array.from(heard.slice(onset + silence), (value) => value / 32_767);
}
