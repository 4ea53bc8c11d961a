import { createFileRoute } from '@tanstack/react-router'
import { requireNamedAccount } from '../../../accounts/require-account.ts'
import { CreatePage } from '../../../pages/create/CreatePage.tsx'
import { createSearch } from '../../../pages/create/create-search.ts'

export const Route = createFileRoute('/_main/create/{-$uid}')({
  validateSearch: createSearch,
  beforeLoad: requireNamedAccount,
  component: CreatePage,
})
