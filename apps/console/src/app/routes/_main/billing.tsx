import { createFileRoute } from '@tanstack/react-router'
import { BillingPage } from '../../../billing/BillingPage.tsx'
import { loadBillingTexts } from '../../../kit/i18n/language.ts'

export const Route = createFileRoute('/_main/billing')({ loader: loadBillingTexts, component: BillingPage })
