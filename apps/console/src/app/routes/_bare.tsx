import { createFileRoute } from '@tanstack/react-router'
import { enterAsAccount } from '../require-account.ts'
import { BareShell } from '../shell/BareShell.tsx'

/** The mobile variants: an account is needed, sidebar and header are not, the wallet's web view has its own. */
export const Route = createFileRoute('/_bare')({ beforeLoad: enterAsAccount, component: BareShell })
