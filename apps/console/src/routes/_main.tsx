import { createFileRoute, redirect } from '@tanstack/react-router'
import { currentAccount } from '../accounts/account-store.ts'
import { guardTarget } from '../accounts/guard.ts'
import { AppShell } from '../components/shell/AppShell.tsx'
import { serverNow } from '../config/runtime-config.ts'

export const Route = createFileRoute('/_main')({
  beforeLoad: ({ location }) => {
    const target = guardTarget(currentAccount(), serverNow(), location.href)
    if (!target) return
    const search = { redirect: target.redirect }
    if (target.did) throw redirect({ to: '/login/$did', params: { did: target.did }, search })
    throw redirect({ to: '/login', search })
  },
  component: AppShell,
})
