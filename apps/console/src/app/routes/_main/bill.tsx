import { createFileRoute } from '@tanstack/react-router'
import { BillPage } from '../../../bill/BillPage.tsx'
import { billSearch } from '../../../bill/bill-search.ts'

export const Route = createFileRoute('/_main/bill')({
  validateSearch: billSearch,
  component: BillPage,
})
