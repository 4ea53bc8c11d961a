import { backupList } from '@atoll/contract/backups'
import { invoicesPage } from '@atoll/contract/billing'
import { domainList, toDomainBase } from '@atoll/contract/domains'
import { type Icon, IconCircles, IconHistory, IconReceiptDollar, IconWorld } from '@tabler/icons-react'
import { useClusters } from '../../clusters/use-clusters.ts'
import { useCall } from '../../data/use-call.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale } from '../../locales/text.ts'

/** One thing that has a page. */
export interface PaletteObject {
  path: string
  icon: Icon
  label: string
  hint?: string
}

/** How many of the newest invoices are searched. */
const searchedInvoices = 100

/** The account's invoices, by number; asked for once they are wanted. */
export function usePaletteInvoices(enabled: boolean): PaletteObject[] {
  const locale = useLocale()
  const { invoices = [] } = useCall(invoicesPage, { page: 1, rowsPerPage: searchedInvoices }, { enabled }).data ?? {}
  return invoices.map(({ invoiceId, number, amount, currency }) => ({
    path: `/payment/${invoiceId}`,
    icon: IconReceiptDollar,
    label: number,
    hint: formatMoney(amount, currency, locale),
  }))
}

/** The account's domains; asked for once they are wanted. */
export function usePaletteDomains(enabled: boolean): PaletteObject[] {
  const { domains = [] } = useCall(domainList, {}, { enabled }).data ?? {}
  return domains.map(({ domain, shown }) => ({
    path: `/domain/${toDomainBase(domain)}`,
    icon: IconWorld,
    label: shown,
  }))
}

/** The objects of these pages, by their present names; one that is gone is left out. */
export function useObjectsAt(paths: readonly string[]): PaletteObject[] {
  const isAmong = (section: string) => paths.some((path) => path.startsWith(`/${section}/`))
  const { clusters = [] } = useClusters()
  const { backups = [] } = useCall(backupList, {}, { enabled: isAmong('backupDetails') }).data ?? {}
  const objects: PaletteObject[] = [
    ...clusters.map(({ clusterId, name }) => ({ path: `/cluster/${clusterId}`, icon: IconCircles, label: name })),
    ...backups.map(({ backupId, name, clusterName: hint }) => ({
      path: `/backupDetails/${backupId}`,
      icon: IconHistory,
      label: name,
      hint,
    })),
    ...usePaletteDomains(isAmong('domain')),
    ...usePaletteInvoices(isAmong('payment')),
  ]
  return paths.flatMap((path) => objects.find((one) => one.path === path) ?? [])
}
