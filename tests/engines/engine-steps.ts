import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCodes, type Piece } from '#tests/faults/signal/read-codes.ts';
import type { EngineTrial } from '#tests/faults/world/engine-trial.ts';
import { heardRateHz, signalFile } from '#tests/faults/world/listen.ts';
import type { Ear } from '#tests/faults/world/sound-server.ts';
import { until } from '#tests/faults/world/take.ts';

/** Writes into the text field whose accessible name matches, as typing does, and presses Enter if asked. */
export const fill = (trial: EngineTrial, { field, text }: { field: string; text: string }): Promise<void> =>
  trial.untilTrue(
    `(() => {
      const one = [...document.querySelectorAll('input, textarea, [contenteditable]')].find((each) => (each.getAttribute('aria-label') ?? each.labels?.[0]?.textContent ?? '').startsWith(${JSON.stringify(field)}) && !each.closest('[inert]'));
      if (!one) return false;
      one.focus();
      document.execCommand('insertText', false, ${JSON.stringify(text)});
      const shown = one.value ?? one.textContent;
      if (!shown.includes(${JSON.stringify(text)})) return false;
      one.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }));
      one.dispatchEvent(new KeyboardEvent('keyup', { key: 'Enter', code: 'Enter', bubbles: true }));
      return true;
    })()`,
    `a field ${field}`,
    20_000,
  );

/** Presses the first visible element of a role whose text contains these words. */
export const pressText = (
  trial: EngineTrial,
  { selector, words }: { selector: string; words: string },
): Promise<void> =>
  trial.untilTrue(
    `(() => {
      const one = [...document.querySelectorAll(${JSON.stringify(selector)})].find((each) => each.textContent.includes(${JSON.stringify(words)}) && each.getClientRects().length > 0 && !each.closest('[inert]'));
      if (!one) return false;
      for (const type of ['pointerdown', 'pointerup']) one.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, pointerType: 'mouse', button: 0 }));
      one.click();
      return true;
    })()`,
    `${selector} with ${words}`,
    20_000,
  );

/** The containers of an import, with ffmpeg's arguments. */
export const importFormats: Record<string, string[]> = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '128k'],
  m4a: ['-c:a', 'aac', '-b:a', '128k'],
  wav: ['-c:a', 'pcm_s16le'],
  ogg: ['-c:a', 'libopus', '-b:a', '64k'],
  mp4: ['-c:a', 'aac', '-b:a', '96k', '-movflags', '+faststart'],
};

/** The first 16 s of the coded signal as a file of this format. */
export function codedFile(extension: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-coded-'));
  const file = join(folder, `signal.${extension}`);
  try {
    execFileSync(
      'ffmpeg',
      [
        '-v',
        'error',
        '-t',
        '16',
        '-i',
        signalFile(),
        '-ar',
        '48000',
        ...(importFormats[extension] ?? []),
        file,
      ],
      { stdio: 'inherit' },
    );
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Chooses a file in the page's field for imports. */
export async function chooseFile(
  trial: EngineTrial,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<void> {
  await until(
    () =>
      trial.engine.evaluate(`
        const bytes = Uint8Array.from(atob(${JSON.stringify(bytes.toString('base64'))}), (letter) => letter.charCodeAt(0));
        const files = new DataTransfer();
        files.items.add(new File([bytes], ${JSON.stringify(name)}));
        const input = [...document.querySelectorAll('input[type=file]')].find((one) => one.closest('[inert], [data-prerendered]') === null);
        if (!input || document.querySelector('[data-prerendered]')) throw new Error('the page is not there yet');
        input.files = files.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
        return true;`),
    'the field for imports',
    30_000,
  );
}

/** Waits until at least so much of the signal was heard, and returns its pieces. */
export async function heardPieces(ear: Ear, heardMs: number): Promise<Piece[]> {
  return until(
    async () => {
      const pieces = readCodes(ear.samples(), heardRateHz);
      return pieces.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) >= heardMs ? pieces : null;
    },
    `${heardMs} ms of sound at the loudspeaker`,
    40_000,
  );
}

/** The time of the signal at the first sound of a piece. */
export const firstHeardMs = ([first]: Piece[]): number =>
  first ? first.fromMs + first.offsetMs : Number.NaN;
