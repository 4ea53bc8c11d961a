import { createFileRoute } from '@tanstack/react-router'
import { ActivityPage } from '../../../activity/ActivityPage.tsx'
import { activitySearch } from '../../../activity/activity-search.ts'

export const Route = createFileRoute('/_main/activity')({
  validateSearch: activitySearch,
  component: ActivityPage,
})
