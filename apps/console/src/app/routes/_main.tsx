import { createFileRoute } from '@tanstack/react-router'
import { AppShell } from '../shell/AppShell.tsx'
import { enterAsAccount } from '../shell/require-account.ts'

/** The main layout: everything in it needs an account. */
export const Route = createFileRoute('/_main')({ beforeLoad: enterAsAccount, component: AppShell })
