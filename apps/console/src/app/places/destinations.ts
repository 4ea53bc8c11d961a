/**
 * Where one can go, once: sidebar, bottom bar, account menu and command palette show the same list. Only places that
 * exist.
 */
import {
  type Icon,
  IconAlertTriangle,
  IconCircles,
  IconClockPlay,
  IconDevices,
  IconFileDownload,
  IconHistory,
  IconLanguage,
  IconPlus,
  IconReceiptDollar,
  IconRestore,
  IconServer,
  IconShieldLock,
  IconUserCircle,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { TextKey } from '../../locales/text.ts'

export interface Destination {
  to: NonNullable<LinkProps['to']>
  label: TextKey
  icon: Icon
  /** Routes that belong to this place, though they are not its own. */
  holds?: readonly NonNullable<LinkProps['to']>[]
}

/** The console's own sections: sidebar, bottom bar. Five, as a phone's bar has room for (look/language). */
export const mainDestinations: readonly Destination[] = [
  {
    to: '/',
    label: 'shell.clusters',
    icon: IconCircles,
    holds: ['/cluster/$clusterId', '/paid/$clusterId', '/create/{-$uid}'],
  },
  { to: '/instance', label: 'shell.instances', icon: IconServer },
  { to: '/backup', label: 'shell.backups', icon: IconRestore, holds: ['/backupDetails/$backupId'] },
  { to: '/domains', label: 'shell.domains', icon: IconWorld, holds: ['/domain/$base'] },
  {
    to: '/billing',
    label: 'shell.billing',
    icon: IconReceiptDollar,
    holds: ['/bill', '/payment/$id', '/subscriptions/$id', '/balanceDetail', '/usage', '/sandbox'],
  },
]

/** A section where the sidebar is; on a phone it is in the account menu. */
export const alertsDestination: Destination = { to: '/alerts', label: 'shell.alerts', icon: IconAlertTriangle }

/** Those of the sidebar. */
export const sideDestinations: readonly Destination[] = mainDestinations.flatMap((place) =>
  place.to === '/billing' ? [alertsDestination, place] : [place],
)

/** Pages of a section without a name of its own: the breadcrumb's last word. */
export const innerLabels: Partial<Record<NonNullable<LinkProps['to']>, TextKey>> = {
  '/create/{-$uid}': 'home.create',
  '/bill': 'shell.bills',
  '/payment/$id': 'shell.payment',
  '/subscriptions/$id': 'shell.subscription',
  '/balanceDetail': 'shell.balance',
  '/usage': 'shell.usage',
  '/sandbox': 'shell.sandbox',
}

/** The step most people came for: a button on the pages, in a phone's header an icon. */
export const createDestination: Destination = { to: '/create/{-$uid}', label: 'shell.create', icon: IconPlus }

/** Only where the account's clock can be moved. */
export const sandboxDestination: Destination = { to: '/sandbox', label: 'shell.sandbox', icon: IconClockPlay }

/** Of staff alone: a lazy part with sections of its own (`src/operator`). */
export const operatorDestination: Destination = {
  to: '/operator/{-$section}/{-$object}',
  label: 'shell.operator',
  icon: IconShieldLock,
}

/** Pages about the signed-in person: account menu. */
export const accountDestinations: readonly Destination[] = [
  alertsDestination,
  { to: '/profile', label: 'shell.profile', icon: IconUserCircle },
  { to: '/sessions', label: 'shell.sessions', icon: IconDevices },
  { to: '/activity', label: 'shell.activity', icon: IconHistory },
  { to: '/yourData', label: 'shell.yourData', icon: IconFileDownload },
  { to: '/accountList', label: 'shell.accounts', icon: IconUsers },
  { to: '/languageList', label: 'shell.languages', icon: IconLanguage },
]
