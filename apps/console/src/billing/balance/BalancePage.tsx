import { PageHeader } from '@atoll/ui'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { useText } from '../../locales/text.ts'
import { BalanceFigures } from './BalanceFigures.tsx'
import { BalanceRecords } from './BalanceRecords.tsx'
import { balanceSearch } from './balance-search.ts'
import { HowToVerify } from './HowToVerify.tsx'
import { useBalance } from './use-balance.ts'

/** The account's balance, every change of it, and how to check that (spec §2, `/balanceDetail`). */
export function BalancePage() {
  const t = useText()
  usePageTitle(t('balance.title'))
  const list = useListSearch(balanceSearch)
  const query = useBalance(list.search)
  return (
    <>
      <PageHeader title={t('balance.title')}>{t('balance.lead')}</PageHeader>
      <BalanceFigures promo={query.data?.promo} postings={query.data?.postings} />
      <BalanceRecords query={query} list={list} />
      <HowToVerify />
    </>
  )
}
