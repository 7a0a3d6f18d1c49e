export interface TimecodeOptions {
  tenths?: boolean;
}

const two = (value: number) => String(value).padStart(2, '0');

/**
 * Formats a position or duration as 00:07, 24:07 or 1:34:50, always in Latin digits; with `tenths` as 24:07.3.
 * Truncated, never rounded: a clock must not show a second that is not over. Negative and unknown values are 0.
 */
export function formatTimecode(ms: number, { tenths = false }: TimecodeOptions = {}): string {
  const whole = Number.isFinite(ms) ? Math.max(0, Math.floor(ms / 100)) : 0;
  const seconds = Math.floor(whole / 10);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = h > 0 ? `${h}:${two(m)}:${two(s)}` : `${two(m)}:${two(s)}`;
  return tenths ? `${clock}.${whole % 10}` : clock;
}
