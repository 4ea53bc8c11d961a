import { createFileRoute } from '@tanstack/react-router'
import { ActivityPage } from '../../pages/activity/ActivityPage.tsx'
import { activitySearch } from '../../pages/activity/activity-search.ts'

export const Route = createFileRoute('/_main/activity')({
  validateSearch: activitySearch,
  component: ActivityPage,
})
