import { createFileRoute } from '@tanstack/react-router'
import { InstancesPage } from '../../pages/instances/InstancesPage.tsx'
import { instancesSearch } from '../../pages/instances/instances-search.ts'

export const Route = createFileRoute('/_main/instance')({
  validateSearch: instancesSearch,
  component: InstancesPage,
})
