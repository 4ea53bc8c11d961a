import { createFileRoute } from '@tanstack/react-router'
import { CreatePage } from '../../../../clusters/create/CreatePage.tsx'
import { createSearch } from '../../../../clusters/create/create-search.ts'
import { requireNamedAccount } from '../../../require-account.ts'

export const Route = createFileRoute('/_main/create/{-$uid}')({
  validateSearch: createSearch,
  beforeLoad: requireNamedAccount,
  component: CreatePage,
})
