import { createFileRoute } from '@tanstack/react-router'
import { BillPage } from '../../../billing/bill/BillPage.tsx'
import { billSearch } from '../../../billing/bill/bill-search.ts'

export const Route = createFileRoute('/_main/bill')({
  validateSearch: billSearch,
  component: BillPage,
})
