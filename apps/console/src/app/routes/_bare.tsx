import { createFileRoute } from '@tanstack/react-router'
import { BareShell } from '../shell/BareShell.tsx'
import { enterAsAccount } from '../shell/require-account.ts'

/** The mobile variants: an account is needed, sidebar and header are not, the wallet's web view has its own. */
export const Route = createFileRoute('/_bare')({ beforeLoad: enterAsAccount, component: BareShell })
