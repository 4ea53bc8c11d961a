import { createFileRoute } from '@tanstack/react-router'
import { InstancesPage } from '../../../clusters/instances-page/InstancesPage.tsx'
import { instancesSearch } from '../../../clusters/instances-page/instances-search.ts'

export const Route = createFileRoute('/_bare/instanceMobile')({
  validateSearch: instancesSearch,
  component: InstancesPage,
})
