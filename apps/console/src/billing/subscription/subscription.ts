import type { subscriptionsDetail } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'

/** As its page gets it. */
export type Subscription = CallData<typeof subscriptionsDetail>
