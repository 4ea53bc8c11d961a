import { createFileRoute } from '@tanstack/react-router'
import { enterAsAccount } from '../accounts/require-account.ts'
import { BareShell } from '../components/shell/BareShell.tsx'

/** The mobile variants: an account is needed, sidebar and header are not, the wallet's web view has its own. */
export const Route = createFileRoute('/_bare')({ beforeLoad: enterAsAccount, component: BareShell })
