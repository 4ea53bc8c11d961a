import { createFileRoute } from '@tanstack/react-router'
import { enterAsAccount } from '../require-account.ts'
import { AppShell } from '../shell/AppShell.tsx'

/** The main layout: everything in it needs an account. */
export const Route = createFileRoute('/_main')({ beforeLoad: enterAsAccount, component: AppShell })
