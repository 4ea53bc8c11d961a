import { createFileRoute } from '@tanstack/react-router'
import { InstancesPage } from '../../pages/instances/InstancesPage.tsx'

export const Route = createFileRoute('/_main/instance')({ component: InstancesPage })
