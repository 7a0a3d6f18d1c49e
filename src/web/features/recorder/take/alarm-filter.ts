import { second } from '#base/duration.ts';
import { audibleAmplitude } from '#audio/sound-levels.ts';
import type { Alarm } from '#workers/take/messages.ts';

/**
 * How long after our own signal the microphone may still be hearing it: its length, the room and the blocks
 * under way.
 */
const echoMs = 2 * second;

/**
 * The alarms of one take as a person should see them. Our own signal sounds in the room and would end the
 * silence that it warns of: what is heard during it and shortly after does not count.
 */
export class AlarmFilter {
  readonly #onChange: (alarms: readonly Alarm[]) => void;
  readonly #nowMs: () => number;
  #shown: readonly Alarm[] = [];
  #echoUntilMs = 0;
  /** The worker has heard something that was, or may have been, our own signal. */
  #isDoubtful = false;

  constructor(onChange: (alarms: readonly Alarm[]) => void, nowMs: () => number) {
    this.#onChange = onChange;
    this.#nowMs = nowMs;
  }

  /** Our signal begins to sound now. */
  signalled(): void {
    this.#echoUntilMs = this.#nowMs() + echoMs;
  }

  handle(alarm: Alarm, isOn: boolean): void {
    const isEcho =
      alarm === 'silence' && !isOn && this.#shown.includes('silence') && this.#nowMs() < this.#echoUntilMs;
    if (alarm === 'silence') this.#isDoubtful = isEcho;
    if (!isEcho) this.#show(alarm, isOn);
  }

  /** The loudest sample of the last moment, 0–1. */
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
