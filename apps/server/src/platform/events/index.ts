export { awaitChange } from './await-change.ts'
export {
  type ChangeFeed,
  type ChangeStore,
  changeChannel,
  createChangeFeed,
  type FeedItem,
  storeOf,
} from './change-feed.ts'
export { type ChangeFilter, type NumberedChange, publishChange } from './change-store.ts'
export { changesPrune } from './changes-prune.ts'
export { type FleetingChange, publishFleeting } from './fleeting.ts'
export { createHook, type Handler, type Hook } from './hook.ts'
export { createListener, type Listener } from './listener.ts'
export { notify, notifyAll, payloadLimit } from './publish.ts'
export { createWatchers, listWatched } from './watchers.ts'
