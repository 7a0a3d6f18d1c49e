import { hour, minute, second } from '#base/duration.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/**
 * A position for a text field, as short as it is exact: `12:00`, `1:02:03`, `0:07.25`. Parsing it gives the same
 * milliseconds.
 */
export function writeTime(ms: number): string {
  const [hours, minutes] = [Math.floor(ms / hour), Math.floor(ms / minute) % 60];
  const seconds = two(Math.floor(ms / second) % 60);
  const fraction =
    ms % second === 0
      ? ''
      : `.${String(ms % second)
          .padStart(3, '0')
          .replace(/0+$/, '')}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${seconds}${fraction}` : `${minutes}:${seconds}${fraction}`;
}
