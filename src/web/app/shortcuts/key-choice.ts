import { useState } from 'react';
import { canSwap, holdersOf, withDefaultKey, withKey, withoutKey } from '#web/shortcuts/change-key.ts';
import { chosenKeys } from '#web/shortcuts/chosen-keys.ts';
import { digitKeys, keyIn, defaultKeys, type KeyAction } from '#web/shortcuts/key-actions.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';

type ChoiceStep =
  | { status: 'resting'; /** Its button gets the focus back. */ last: KeyAction | null }
  | {
      status: 'asking';
      action: KeyAction;
      /** The pressed key cannot be chosen. */ isRejected: boolean;
    }
  | { status: 'taken'; action: KeyAction; key: string; holders: readonly KeyAction[]; canSwap: boolean };

export interface KeyChoice {
  step: ChoiceStep;
  requestKey: (action: KeyAction) => void;
  /** Handles a key pressed for the action; null is a key that cannot be chosen. */
  choose: (key: string | null) => void;
  /** Uses the key although another action has it. */
  takeOver: () => void;
  switchOff: () => void;
  leave: (last?: KeyAction) => void;
}

/** Chooses one key at a time: a press on its button, the new key, and a question if another action has that key. */
export function useKeyChoice(): KeyChoice {
  const chosen = useStore(chosenKeys);
  const [step, setStep] = useState<ChoiceStep>({ status: 'resting', last: null });
  const leave = (last: KeyAction | null = null) => setStep({ status: 'resting', last });
  const save = (action: KeyAction, next: typeof chosen) => {
    chosenKeys.set(next);
    leave(action);
  };

  const choose = (key: string | null) => {
    if (step.status !== 'asking') return;
    const { action } = step;
    if (key === null) {
      setStep({ ...step, isRejected: true });
      return;
    }
    const holders = holdersOf(chosen, action, key);
    if (holders.length > 0)
      setStep({ status: 'taken', action, key, holders, canSwap: canSwap(chosen, action, key) });
    else save(action, withKey(chosen, action, key));
  };

  const requestKey = (action: KeyAction) => {
    // The ten digits are switched on or off together.
    if (defaultKeys[action] !== digitKeys) setStep({ status: 'asking', action, isRejected: false });
    else
      save(
        action,
        keyIn(chosen, action) === null ? withDefaultKey(chosen, action) : withoutKey(chosen, action),
      );
  };

  return {
    step,
    choose,
    requestKey,
    leave,
    takeOver: () => {
      if (step.status === 'taken') save(step.action, withKey(chosen, step.action, step.key));
    },
    switchOff: () => {
      if (step.status === 'asking') save(step.action, withoutKey(chosen, step.action));
    },
  };
}
