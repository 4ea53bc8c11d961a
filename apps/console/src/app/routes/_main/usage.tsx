import { createFileRoute } from '@tanstack/react-router'
import { UsagePage } from '../../../usage/UsagePage.tsx'
import { usageSearch } from '../../../usage/usage-search.ts'

export const Route = createFileRoute('/_main/usage')({
  validateSearch: usageSearch,
  component: UsagePage,
})
