import { createFileRoute } from '@tanstack/react-router'
import { DomainsPage } from '../../../domains/list/DomainsPage.tsx'

export const Route = createFileRoute('/_main/domains')({ component: DomainsPage })
