import { createFileRoute } from '@tanstack/react-router'
import { SessionsPage } from '../../../devices/SessionsPage.tsx'

export const Route = createFileRoute('/_main/sessions')({ component: SessionsPage })
