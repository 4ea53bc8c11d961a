import { createFileRoute } from '@tanstack/react-router'
import { BillingPage } from '../../../billing/overview/BillingPage.tsx'

export const Route = createFileRoute('/_main/billing')({ component: BillingPage })
