import { createFileRoute } from '@tanstack/react-router'
import { YourDataPage } from '../../../profile/YourDataPage.tsx'

export const Route = createFileRoute('/_main/yourData')({ component: YourDataPage })
