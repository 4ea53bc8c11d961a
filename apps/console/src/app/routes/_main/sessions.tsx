import { createFileRoute } from '@tanstack/react-router'
import { SessionsPage } from '../../../sessions/SessionsPage.tsx'

export const Route = createFileRoute('/_main/sessions')({ component: SessionsPage })
