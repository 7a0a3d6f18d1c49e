import { describe, expect, test } from 'vitest';
import { parseChosenKeys } from './chosen-keys.ts';
import { keyIn } from './key-actions.ts';

const markKey = (stored: object) => keyIn(parseChosenKeys(JSON.stringify(stored)), 'player.mark');

describe('keys chosen while N set markers in the player', () => {
  test('without a choice, M sets markers and Shift+M mutes', () => {
    expect(parseChosenKeys(null)).toEqual({});
    expect(keyIn({}, 'player.mark')).toBe('m');
    expect(keyIn({}, 'recorder.mark')).toBe('m');
    expect(keyIn({}, 'player.mute')).toBe('M');
  });

  test('a key chosen for markers, or switched off, stays', () => {
    expect(markKey({ 'player.mark': 'x' })).toBe('x');
    expect(markKey({ 'player.mark': null, 'player.loop': 'm' })).toBeNull();
  });

  test('M stays with another action of the player that it was chosen for, and N sets markers as before', () => {
    expect(parseChosenKeys(JSON.stringify({ 'player.loop': 'm', 'player.mute': 'r' }))).toEqual({
      'player.loop': 'm',
      'player.mute': 'r',
      'player.mark': 'n',
    });
    expect(markKey({ 'everywhere.help': 'm' })).toBe('n');
  });

  test('no key sets markers if N was given away too', () => {
    expect(markKey({ 'player.loop': 'm', 'player.silence': 'n' })).toBeNull();
  });

  test('a choice for the recorder changes nothing in the player', () => {
    expect(markKey({ 'recorder.pause': 'm', 'recorder.mark': 'p' })).toBe('m');
  });

  test('invalid entries are dropped', () => {
    expect(
      parseChosenKeys(JSON.stringify({ 'player.mute': 'long', 'no.action': 'x', 'player.loop': 7 })),
    ).toEqual({});
  });
});
