import { expect, test, vi } from 'vitest';
import { isPasteOfFiles } from './chosen-files.ts';

/** An element that stands in a field, or does not. */
class FakeElement {
  isInField = false;
  closest(): FakeElement | null { return this.isInField ? this : null; }
}

function isTaken(types: string[], files: File[], isInField = false): boolean {
  vi.stubGlobal('Element', FakeElement);
  return isPasteOfFiles({ target: Object.assign(new FakeElement(), { isInField }), clipboardData: { types, files } });
}

const sound = new File(['x'], 'Interview.wav', { type: 'audio/wav' });
const picture = new File(['x'], 'image.png', { type: 'image/png' });

test('pasted files are taken in, also where their file manager puts their names beside them', () => {
  expect(isTaken(['Files'], [sound])).toBe(true);
  expect(isTaken(['text/plain', 'Files'], [sound])).toBe(true);
});

test('text is left to the page, with the picture of it that an office program adds, and so is all that is pasted into a field', () => {
  expect(isTaken(['text/plain'], [])).toBe(false);
  expect(isTaken(['text/plain', 'text/html', 'Files'], [picture])).toBe(false);
  expect(isTaken(['text/plain', 'Files'], [picture], true)).toBe(false);
  expect(isTaken(['Files'], [sound], true)).toBe(false);
});
