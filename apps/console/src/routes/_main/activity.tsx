import { createFileRoute } from '@tanstack/react-router'
import { ActivityPage } from '../../pages/activity/ActivityPage.tsx'

export const Route = createFileRoute('/_main/activity')({ component: ActivityPage })
