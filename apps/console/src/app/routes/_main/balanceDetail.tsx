import { createFileRoute } from '@tanstack/react-router'
import { BalancePage } from '../../../balance/BalancePage.tsx'
import { balanceSearch } from '../../../balance/balance-search.ts'

export const Route = createFileRoute('/_main/balanceDetail')({
  validateSearch: balanceSearch,
  component: BalancePage,
})
