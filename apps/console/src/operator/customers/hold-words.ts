import type { Hold } from '@atoll/contract/accounts'
import type { TextKey } from '../../locales/text.ts'

/** The words of staff for the parts of a suspension. */
export const holdWords: {
  reasons: Record<Hold['reason'], TextKey>
  scopes: Record<Hold['scope'], TextKey>
} = {
  reasons: {
    disputed: 'operator.whyDisputed',
    abuse: 'operator.whyAbuse',
    unpaid: 'operator.whyUnpaid',
    legal: 'operator.whyLegal',
    asked: 'operator.whyAsked',
  },
  scopes: { servers: 'operator.scopeServers', visitors: 'operator.scopeVisitors' },
}
