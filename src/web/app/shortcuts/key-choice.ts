import { useState } from 'react';
import { canSwap, holdersOf, withDefaultKey, withKey, withoutKey } from '#web/shortcuts/change-key.ts';
import { chosenKeys } from '#web/shortcuts/chosen-keys.ts';
import { digitKeys, keyIn, defaultKeys, type KeyAction } from '#web/shortcuts/key-actions.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';

type ChoiceStep =
  | { status: 'resting'; /** Whose button takes the focus back. */ last: KeyAction | null }
  | {
      status: 'asking';
      action: KeyAction;
      /** A key was pressed that nobody can choose. */ isRejected: boolean;
    }
  | { status: 'taken'; action: KeyAction; key: string; holders: readonly KeyAction[]; canSwap: boolean };

export interface KeyChoice {
  step: ChoiceStep;
  ask: (action: KeyAction) => void;
  /** A key was pressed for the action that is asked about; null is a key that cannot be chosen. */
  choose: (key: string | null) => void;
  /** Gives the taken key away although another action has it. */
  takeOver: () => void;
  switchOff: () => void;
  leave: (last?: KeyAction) => void;
}

/** One key is chosen at a time: a press on it, the new key, and a question if another action has that one. */
export function useKeyChoice(): KeyChoice {
  const chosen = useStore(chosenKeys);
  const [step, setStep] = useState<ChoiceStep>({ status: 'resting', last: null });
  const leave = (last: KeyAction | null = null) => setStep({ status: 'resting', last });
  const keep = (action: KeyAction, next: typeof chosen) => {
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
    else keep(action, withKey(chosen, action, key));
  };

  const ask = (action: KeyAction) => {
    // The ten digits stay together: they are on or off.
    if (defaultKeys[action] !== digitKeys) setStep({ status: 'asking', action, isRejected: false });
    else
      keep(
        action,
        keyIn(chosen, action) === null ? withDefaultKey(chosen, action) : withoutKey(chosen, action),
      );
  };

  return {
    step,
    choose,
    ask,
    leave,
    takeOver: () => {
      if (step.status === 'taken') keep(step.action, withKey(chosen, step.action, step.key));
    },
    switchOff: () => {
      if (step.status === 'asking') keep(step.action, withoutKey(chosen, step.action));
    },
  };
}
