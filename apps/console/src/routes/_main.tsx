import { createFileRoute } from '@tanstack/react-router'
import { enterAsAccount } from '../accounts/require-account.ts'
import { AppShell } from '../components/shell/AppShell.tsx'

/** The main layout: everything in it needs an account. */
export const Route = createFileRoute('/_main')({ beforeLoad: enterAsAccount, component: AppShell })
