import { second } from '#base/duration.ts';
import { audibleAmplitude } from '#audio/sound-levels.ts';
import type { Alarm } from '#workers/take/messages.ts';

/**
 * How long the microphone may pick up our own signal: its length, the echo of the room and the blocks in transit.
 */
const echoMs = 2 * second;

/**
 * The alarms of one take, as shown to the user. The microphone picks up our own signal, which would end the
 * silence alarm that it signals, so audio during the signal and shortly after is ignored.
 */
export class AlarmFilter {
  readonly #onChange: (alarms: readonly Alarm[]) => void;
  readonly #nowMs: () => number;
  #shown: readonly Alarm[] = [];
  #echoUntilMs = 0;
  /** The worker reported the end of silence, which may have been caused by our own signal. */
  #isDoubtful = false;

  constructor(onChange: (alarms: readonly Alarm[]) => void, nowMs: () => number) {
    this.#onChange = onChange;
    this.#nowMs = nowMs;
  }

  /** Call it when our signal starts to play. */
  signalled(): void {
    this.#echoUntilMs = this.#nowMs() + echoMs;
  }

  handle(alarm: Alarm, isOn: boolean): void {
    const isEcho =
      alarm === 'silence' && !isOn && this.#shown.includes('silence') && this.#nowMs() < this.#echoUntilMs;
    if (alarm === 'silence') this.#isDoubtful = isEcho;
    if (!isEcho) this.#show(alarm, isOn);
  }

  /** @param peak the largest amplitude of the last level message, 0–1 */
  handleLevel(peak: number): void {
    if (!this.#isDoubtful || peak < audibleAmplitude || this.#nowMs() < this.#echoUntilMs) return;
    this.#isDoubtful = false;
    this.#show('silence', false);
  }

  #show(alarm: Alarm, isOn: boolean): void {
    if (this.#shown.includes(alarm) === isOn) return;
    this.#shown = isOn ? [...this.#shown, alarm] : this.#shown.filter((other) => other !== alarm);
    this.#onChange(this.#shown);
  }
}
