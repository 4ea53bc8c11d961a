import type { Operation } from '@atoll/contract'
import type { TextKey } from '../../i18n/text.ts'

/** What was done, as a noun or a bare verb. */
export const operationKinds: Record<Operation['kind'], TextKey> = {
  create: 'detail.kindCreate',
  start: 'detail.kindStart',
  stop: 'detail.kindStop',
  restart: 'detail.kindRestart',
  destroy: 'detail.kindDestroy',
  retry: 'detail.kindRetry',
}
