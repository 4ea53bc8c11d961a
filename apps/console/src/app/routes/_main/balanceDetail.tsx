import { createFileRoute } from '@tanstack/react-router'
import { BalancePage } from '../../../billing/balance/BalancePage.tsx'
import { balanceSearch } from '../../../billing/balance/balance-search.ts'

export const Route = createFileRoute('/_main/balanceDetail')({
  validateSearch: balanceSearch,
  component: BalancePage,
})
