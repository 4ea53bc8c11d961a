import { createFileRoute } from '@tanstack/react-router'
import { BackupsPage } from '../../../backups/list/BackupsPage.tsx'

export const Route = createFileRoute('/_main/backup')({ component: BackupsPage })
