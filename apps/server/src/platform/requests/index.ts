/** Calls that may be repeated: the first answer under a request key is the answer (design/api, `requestId`). */
export { deleteRequestKeysBefore, once, requestKeyLifetimeMs } from './request-keys.ts'
