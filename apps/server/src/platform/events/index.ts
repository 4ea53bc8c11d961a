export { type ChangeFeed, createChangeFeed } from './change-feed.ts'
export { createListener, type Listener } from './listener.ts'
export { changeChannel, notify, publishChange } from './publish.ts'
