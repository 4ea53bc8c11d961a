import { createFileRoute } from '@tanstack/react-router'
import { selectAccount } from '../../../accounts/account-store.ts'
import { CreatePage } from '../../../pages/create/CreatePage.tsx'
import { createSearch } from '../../../pages/create/create-search.ts'

/** `uid` names the account to create for, when this browser holds several; one it does not hold changes nothing. */
export const Route = createFileRoute('/_main/create/{-$uid}')({
  validateSearch: createSearch,
  beforeLoad: ({ params }) => {
    if (params.uid) selectAccount(params.uid)
  },
  component: CreatePage,
})
