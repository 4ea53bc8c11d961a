import { createFileRoute } from '@tanstack/react-router'
import { SandboxPage } from '../../../billing/sandbox/SandboxPage.tsx'

export const Route = createFileRoute('/_main/sandbox')({ component: SandboxPage })
