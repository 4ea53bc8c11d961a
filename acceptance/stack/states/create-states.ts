import type { ConsoleState } from './console-state.ts'
import { named, order } from './ways.ts'

/** Ordering a cluster. */
export const createStates: readonly ConsoleState[] = [
  { name: 'create', path: '/create' },
  { name: 'create, hardware', path: `/create?step=hardware&${order}` },
  { name: 'create, version', path: `/create?step=version&${order}` },
  { name: 'create, review', path: `/create?step=review&${order}` },
  { name: 'create, review, without an email', path: `/create?step=review&${order}`, who: 'mailless' },
  { name: 'an order that is paid, installing', path: `/paid/${named('installing').clusterId}` },
  { name: 'create, self-hosted', path: '/create?step=reach&flavour=SelfHost' },
  { name: 'create, self-hosted, review', path: '/create?step=review&flavour=SelfHost' },
  { name: 'create, past due', path: '/create', who: 'overdue' },
  { name: 'create, from a backup', path: '/create/sn_sample0001?step=hardware' },
  { name: 'create, self-hosted, from a backup', path: '/create/sn_sample0001?step=review&flavour=SelfHost' },
  { name: 'create in a wallet', path: '/createMobile' },
]
