/** Calls that may be repeated: the first answer under a request key is the answer (design/api, `requestId`). */
export { once } from './request-keys.ts'
export { requestKeysPrune } from './request-keys-prune.ts'
