import { createFileRoute } from '@tanstack/react-router'
import { createSearch } from '../../../../clusters/create/create-search.ts'
import { CreatePage } from '../../../../clusters/create/wizard/CreatePage.tsx'
import { requireNamedAccount } from '../../../shell/require-account.ts'

export const Route = createFileRoute('/_main/create/{-$uid}')({
  validateSearch: createSearch,
  beforeLoad: requireNamedAccount,
  component: CreatePage,
})
