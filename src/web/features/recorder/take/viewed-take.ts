import { createStore, type Store } from '#base/store.ts';
import { accessTo, viewer, type ViewerFacts } from '#device/takes/viewer.ts';
import { isRunning, noTake, takeOf, type TakeState } from './take.ts';

/** The take as a viewer may see it. Of a take of another account, only that it runs and whose it is. */
export function viewedTake(state: TakeState, viewing: ViewerFacts): TakeState {
  const take = takeOf(state);
  if (take === null || take.ownerId === null || accessTo(take, viewing) === 'full') return state;
  if (isRunning(state))
    return { status: 'foreign', ownerId: take.ownerId, isStopping: state.status === 'stopping' };
  if (state.status === 'asking')
    return state.isMicrophoneOpen ? { status: 'asking', isMicrophoneOpen: true } : { status: 'asking' };
  return state.status === 'rejected' ? { status: 'rejected', reason: state.reason } : noTake;
}

const isSame = (a: TakeState, b: TakeState): boolean =>
  a.status === 'foreign' &&
  b.status === 'foreign' &&
  a.ownerId === b.ownerId &&
  a.isStopping === b.isStopping;

/** The take as the viewer of this page may see it, computed whenever the take or the viewer changes. */
export function viewedTakes(takes: Store<TakeState>): Store<TakeState> {
  const viewedNow = () => viewedTake(takes.getSnapshot(), viewer.getSnapshot());
  const store = createStore(viewedNow());
  const update = () => {
    const next = viewedNow();
    if (!isSame(next, store.getSnapshot())) store.set(next);
  };
  takes.subscribe(update);
  viewer.subscribe(update);
  return store;
}
