import { createFileRoute } from '@tanstack/react-router'
import { InstancesPage } from '../../../clusters/all-instances/InstancesPage.tsx'
import { instancesSearch } from '../../../clusters/all-instances/instances-search.ts'

export const Route = createFileRoute('/_main/instance')({
  validateSearch: instancesSearch,
  component: InstancesPage,
})
